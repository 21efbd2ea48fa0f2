/**
 * Serves a folder's functions as a server does: the same sandbox, the same context, the same responses. A function with a
 * fault answers with the place of the fault, and the others continue to work.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { v7 } from 'uuid'
import { AppError, forbidden } from '#core/error.ts'
import { takesBody, takesMethod } from '#core/function/definition.ts'
import { hostNameOf, isLocalHost } from '#core/function/own-hosts.ts'
import { functionNameIn } from '#core/function/path-name.ts'
import { withholdCredentials } from '#core/function/shared-origin.ts'
import { isJsonObject } from '#core/json/value.ts'
import { chooseRequestId } from '#core/request-id.ts'
import { STATUSES } from '#http/error.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import {
  type FunctionCode,
  type FunctionEnd,
  runFunction,
} from '#service/functions/run-function.ts'
import { sendJson, sendProblem, sendResponse } from './dev-answer.ts'
import type { DevFunctions, Loaded } from './dev-functions.ts'
import type { DevAnswer, DevRequest } from './dev-routes.ts'
import { showMessages } from './function-folder.ts'

export type Call = Readonly<{
  method: string
  url: string
  status: number
  ms: number
  log: string
  error: string | null
  /** Shown at the terminal only, not to the caller. */
  note: string | null
}>

export type DevOptions = Readonly<{
  app: string
  functions: DevFunctions
  memoryMb: number
  /** SVC_EGRESS_ALLOW. */
  granted: readonly string[]
  sandbox: Sandbox
  /** Reads `.env`, which may change. */
  variables: () => Readonly<Record<string, string>>
  state: StateAccess
  /** Answers paths that do not belong to functions; null if the path may belong to a function. */
  routes: (request: DevRequest) => Promise<DevAnswer | null>
  /** Starts and cancels actions and flows for functions. */
  work: FunctionCode['work']
  onCall: (call: Call) => void
}>

export interface DevServer {
  /** @returns the port. @throws {Error} the port is taken */
  listen(port: number): Promise<number>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 10 * 1_024 * 1_024

const readBody = async (request: IncomingMessage): Promise<Uint8Array> => {
  if (request.headers['content-encoding'] !== undefined) {
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.')
  }
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > MAX_BODY_BYTES) throw new AppError('too_large', 'The body is larger than 10 MB.')
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

const headerPairs = ({ rawHeaders }: IncomingMessage): readonly (readonly [string, string])[] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, at) => [
    rawHeaders[2 * at] ?? '',
    rawHeaders[2 * at + 1] ?? '',
  ])

const errorOf = ({ outcome }: FunctionEnd): string | null =>
  outcome.kind === 'failure' ? `${outcome.error.name}: ${outcome.error.message}` : null

/** What a call shows at the terminal. */
type Output = Pick<Call, 'log' | 'error' | 'note'>
const NOTHING: Output = { log: '', error: null, note: null }

type Exchange = Readonly<{ request: IncomingMessage; response: ServerResponse }>

/** Answers requests for which no code runs. */
const refuse = (
  { request, response }: Exchange,
  { app, functions }: DevOptions,
  found: Loaded | undefined,
): Output => {
  const name = functionNameIn(pathOf(request))
  if (name === '') {
    sendJson(response, 200, { app, functions: functions.names().map((each) => `/${each}`) })
    return NOTHING
  }
  if (found === undefined) {
    const error = `There is no function ${name ?? pathOf(request)}.`
    sendProblem(response, 404, { error, code: 'function_not_found' })
    return NOTHING
  }
  if ('faults' in found) {
    const error = showMessages(found.faults)
    const shown = `Dev server error: ${error}`
    sendProblem(response, 500, { error: shown, code: 'function_failed' })
    return { ...NOTHING, error }
  }
  const { methods } = found.source.definition
  response.setHeader('allow', methods.join(', '))
  const error = `This function takes ${methods.join(', ')}.`
  sendProblem(response, 405, { error, code: 'method_not_allowed' })
  return NOTHING
}

const urlOf = ({ url = '/', headers }: IncomingMessage): URL =>
  new URL(url, `http://${headers.host ?? 'localhost'}`)

const pathOf = (request: IncomingMessage): string => urlOf(request).pathname

type Runnable = Extract<Loaded, { entry: unknown }>

const mayRun = (found: Loaded | undefined, method: string): found is Runnable =>
  found !== undefined && 'entry' in found && takesMethod(found.source.definition, method)

const run = async (
  { request, response }: Exchange,
  sandbox: Sandbox,
  code: FunctionCode,
): Promise<Output> => {
  const { method = 'GET', headers } = request
  const requestId = chooseRequestId(headers['x-request-id'], v7)
  const left = new AbortController()
  response.once('close', () => left.abort())
  const made = await runFunction(sandbox, {
    code,
    request: {
      method,
      url: urlOf(request).href,
      headers: withholdCredentials(headerPairs(request)),
      body: takesBody(method) ? await readBody(request) : new Uint8Array(0),
      ip: request.socket.remoteAddress ?? null,
      requestId,
    },
    signal: left.signal,
  })
  if (made.kind === 'failed') {
    const { outcome, log } = made.end
    const isTimeout = outcome.kind === 'failure' && outcome.error.name === 'Timeout'
    const error = errorOf(made.end)
    const [status, code] = isTimeout ? [504, 'function_timeout'] : [500, 'function_failed']
    sendProblem(response, status, { error, code }, requestId)
    return { log, error, note: null }
  }
  made.response.headers.set('x-request-id', requestId)
  await sendResponse(response, made.response)
  const end = await made.end
  return { log: end.log, error: errorOf(end), note: null }
}

const runRoute = async (
  { request, response }: Exchange,
  { routes }: DevOptions,
): Promise<Output | null> => {
  const made = await routes({
    method: request.method ?? 'GET',
    url: urlOf(request),
    headers: headerPairs(request),
    readBody: () => readBody(request),
  })
  if (made === null) return null
  for (const [name, value] of Object.entries(made.headers ?? {})) response.setHeader(name, value)
  const { status, body } = made
  if (status >= 400 && isJsonObject(body)) sendProblem(response, status, body)
  else sendJson(response, status, body)
  return { ...NOTHING, note: made.note ?? null }
}

const sendError = (response: ServerResponse, error: unknown): Output => {
  const message = error instanceof Error ? error.message : String(error)
  const [status, code] =
    error instanceof AppError ? [STATUSES[error.kind], error.code] : [500, 'internal']
  if (!response.headersSent) sendProblem(response, status, { error: message, code })
  return { ...NOTHING, error: message }
}

/**
 * Refuses pages of other sites [functions 14.9]. A site may resolve its own name to this machine, and then read the responses
 * as those of its own origin. Browsers always send the header.
 */
const refuseForeignHost = ({ headers: { host } }: IncomingMessage): void => {
  if (host === undefined || isLocalHost(hostNameOf(host))) return
  throw forbidden(
    'svc dev answers requests to localhost only. Let a tunnel to it send the header Host: localhost.',
    { code: 'foreign_origin' },
  )
}

/** Creates the local server of a folder's functions and webhooks. */
export const createDevServer = (options: DevOptions): DevServer => {
  const sockets = new Set<Socket>()

  const codeOf = ({ source, entry }: Runnable): FunctionCode => ({
    ws: 'dev',
    app: options.app,
    name: source.name,
    version: source.hash,
    entrypoint: `functions/${source.name}/${source.entrypoint}`,
    bundleHash: entry.hash,
    loadCode: entry.loadCode,
    timeoutMs: source.definition.timeoutS * 1_000,
    memoryMb: options.memoryMb,
    network: source.definition.network ?? null,
    granted: options.granted,
    variables: options.variables(),
    resources: {},
    state: options.state,
    work: options.work,
  })

  const answer = async (exchange: Exchange): Promise<Output> => {
    const { request, response } = exchange
    try {
      refuseForeignHost(request)
      const routed = await runRoute(exchange, options)
      if (routed !== null) return routed
      const found = options.functions.find(functionNameIn(pathOf(request)) ?? '')
      return mayRun(found, request.method ?? 'GET')
        ? await run(exchange, options.sandbox, codeOf(found))
        : refuse(exchange, options, found)
    } catch (error) {
      return sendError(response, error)
    }
  }

  const server = createServer((request, response) => {
    const before = performance.now()
    void answer({ request, response }).then((output) => {
      const { method = 'GET', url = '/' } = request
      const ms = Math.round(performance.now() - before)
      options.onCall({ method, url, status: response.statusCode, ms, ...output })
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => {
          const address = server.address()
          resolve(typeof address === 'object' && address !== null ? address.port : port)
        })
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
