/**
 * Runs one call of a function in the sandbox and returns its response, whole or streamed. Both the server and `svc dev`
 * call functions through it.
 */

import type { JsonValue } from '#core/json/value.ts'
import { limit } from '#core/limit.ts'
import { traceparentOf } from '#core/trace/traceparent.ts'
import type { Sandbox, SandboxCallbacks, SandboxOutcome, SandboxRun } from '#sandbox/sandbox.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import { type Head, head, readResponse, toHeaders, whole } from './response-head.ts'

export type Incoming = Readonly<{
  method: string
  /** Absolute URL. */
  url: string
  headers: readonly (readonly [string, string])[]
  body: Uint8Array
  ip: string | null
  requestId: string
}>

export type FunctionCode = Readonly<{
  ws: string
  app: string
  name: string
  /** Identifies the version of the function. */
  version: string
  entrypoint: string
  bundleHash: string
  loadCode: SandboxRun['loadCode']
  timeoutMs: number
  memoryMb: number
  /** Hosts that it may reach; null for any public address. */
  network: readonly string[] | null
  /** Private destinations among them that are open. */
  granted: readonly string[]
  variables: Readonly<Record<string, string>>
  resources: Readonly<Record<string, JsonValue>>
  state: StateAccess
  work: Pick<SandboxCallbacks, 'start' | 'cancel'>
}>

export type FunctionEnd = Readonly<{
  outcome: SandboxOutcome
  /** Its output, truncated. */
  log: string
}>

export type FunctionAnswer =
  | Readonly<{ kind: 'answered'; response: Response; end: Promise<FunctionEnd> }>
  /** It threw, timed out or exceeded a limit before anything was sent. */
  | Readonly<{ kind: 'failed'; end: FunctionEnd }>

const MAX_LOG_BYTES = limit('function.log', 65_536, 'bytes', 'Log of one call. More is cut.')
/** Bounds the status, the headers and a body that is not sent in parts; parts have no limit together. */
const MAX_RESULT_BYTES = 4_194_304

const NO_BODY = [204, 205, 304]

const toResponse = (
  made: Head,
  bytes: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
): Response => {
  const body = NO_BODY.includes(made.status) ? null : bytes
  // otherwise the function would wait until its timeout for a reader
  if (body === null && bytes instanceof ReadableStream) void bytes.cancel()
  const headers = toHeaders(made)
  // without a type, the HTTP listener would send the body as text/plain
  if (body !== null && !headers.has('content-type')) {
    headers.set('content-type', 'application/octet-stream')
  }
  return new Response(body, { status: made.status, headers })
}

const toInputJson = ({ body, ...request }: Incoming): string =>
  JSON.stringify({
    ...request,
    body: body.length === 0 ? null : Buffer.from(body).toString('base64'),
  })

const toRun = (code: FunctionCode, request: Incoming): SandboxRun => ({
  key: { ws: code.ws, app: code.app, commit: `function ${code.name} ${code.version}` },
  job: { id: request.requestId, action: code.name, attempt: 1 },
  fresh: false,
  entrypoint: code.entrypoint,
  bundleHash: code.bundleHash,
  loadCode: code.loadCode,
  inputJson: toInputJson(request),
  trigger: { kind: 'api' },
  variables: code.variables,
  resources: code.resources,
  traceparent: traceparentOf(request.headers),
  limits: {
    timeoutMs: code.timeoutMs,
    memoryMb: code.memoryMb,
    resultBytes: MAX_RESULT_BYTES,
    logBytes: MAX_LOG_BYTES,
    network: code.network,
    granted: code.granted,
  },
})

/** Creates a body that is filled in parts; the function waits until each part is consumed. */
const createPartStream = (onCancel: () => void) => {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  let wanted: () => void = () => undefined
  let isOpen = true
  const stream = new ReadableStream<Uint8Array>({
    start: (made) => {
      controller = made
    },
    pull: () => wanted(),
    cancel: () => {
      isOpen = false
      wanted()
      onCancel()
    },
  })
  return {
    stream,
    push: async (bytes: Uint8Array): Promise<void> => {
      if (!isOpen) return
      controller?.enqueue(bytes)
      if ((controller?.desiredSize ?? 1) > 0) return
      await new Promise<void>((resolve) => {
        wanted = resolve
      })
    },
    end: (): void => {
      if (isOpen) controller?.close()
      isOpen = false
    },
    fail: (): void => {
      if (isOpen) controller?.error(new Error('The function ended in the middle of its response.'))
      isOpen = false
    },
  }
}

const refused = (log: string, message: string): FunctionEnd => ({
  outcome: { kind: 'failure', error: { name: 'InvalidAnswer', message } },
  log,
})

/** Runs a call; resolves when the head of the response is known. @param signal aborted when the caller disconnects */
export const runFunction = async (
  sandbox: Sandbox,
  {
    code,
    request,
    signal,
  }: Readonly<{ code: FunctionCode; request: Incoming; signal: AbortSignal }>,
): Promise<FunctionAnswer> => {
  let log = ''
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const begun = Promise.withResolvers<Head>()
  begun.promise.catch(() => undefined)
  const parts = createPartStream(stop)
  let hasBegun = false
  let fault: string | null = null

  const onPart = async (text: string): Promise<void> => {
    if (hasBegun) return parts.push(Buffer.from(text, 'base64'))
    hasBegun = true
    const read = readResponse(text, head)
    if (read.fault === undefined) begun.resolve(read.made)
    else {
      fault = read.fault
      stop()
    }
  }

  const run = sandbox.run(
    toRun(code, request),
    {
      onLog: (text) => {
        log += text
      },
      onPart,
      state: code.state,
      getResumeUrls: async () => null,
      ...code.work,
    },
    abort.signal,
  )
  const end = run.then((outcome): FunctionEnd => {
    signal.removeEventListener('abort', stop)
    if (outcome.kind === 'success') parts.end()
    else parts.fail()
    return { outcome, log }
  })
  const first = await Promise.race([begun.promise, end])
  if ('status' in first) {
    return { kind: 'answered', response: toResponse(first, parts.stream), end }
  }
  if (fault !== null) return { kind: 'failed', end: refused(log, fault) }
  if (first.outcome.kind !== 'success') return { kind: 'failed', end: first }
  const read = readResponse(first.outcome.resultJson, whole)
  if (read.fault !== undefined) return { kind: 'failed', end: refused(log, read.fault) }
  const { body, ...made } = read.made
  const bytes = body === null ? null : Buffer.from(body, 'base64')
  return { kind: 'answered', response: toResponse(made, bytes), end: Promise.resolve(first) }
}
