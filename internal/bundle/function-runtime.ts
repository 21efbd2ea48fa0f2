/**
 * Adapts a function to the sandbox [functions 4]: turns the request into `ctx`, and the return value into an HTTP
 * response [functions 5]. It runs inside the sandbox, bundled before the function's own code, so a body that attacks its
 * parser affects only its own process.
 */
import { Buffer } from 'node:buffer'
import { readFormData } from '#core/form-data.ts'
import { hasInfiniteNumber } from '#core/json/numbers.ts'

type Json = unknown

/** The request as the server passes it in `ctx.input`. */
type Incoming = Readonly<{
  method: string
  url: string
  headers: readonly (readonly [string, string])[]
  /** Base64; null when there is no body. */
  body: string | null
  ip: string | null
  requestId: string
}>

type Base = Readonly<Record<string, unknown>> & Readonly<{ input: Incoming }>

type Module = Readonly<Record<string, unknown>>

/** The key under which the host passes the callback for parts of a response. */
const PART = Symbol.for('svc.part')

/** Bytes of body in one part. */
const PART_BYTES = 98_304
/** A larger body, in bytes, is sent in parts. */
const MAX_WHOLE_BYTES = 524_288

const toBytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  }
  return btoa(text)
}

type Answer = {
  status: number
  headers: [string, string][]
  body: Uint8Array | null
}

class Refusal extends Error {
  readonly status = 400
  readonly code: string

  constructor(message: string, { code, cause }: Readonly<{ code: string; cause: unknown }>) {
    super(message, { cause })
    this.code = code
  }
}

const typeOf = (headers: Record<string, string>): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

type File = {
  fieldname: string
  originalname: string
  size: number
  mimetype: string
  buffer: Buffer
}

const readForm = async (bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>) => {
  let form: FormData
  try {
    form = await readFormData(bytes, headers['content-type'] ?? '')
  } catch (cause) {
    throw new Refusal('The multipart body is broken.', { code: 'malformed_form', cause })
  }
  const body: Record<string, string> = {}
  const files: File[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      body[name] = value
      continue
    }
    // browsers send an empty part for a file input in which no file was chosen
    if (value.name === '' && value.size === 0) continue
    files.push({
      fieldname: name,
      originalname: value.name,
      size: value.size,
      mimetype: value.type === '' ? 'application/octet-stream' : value.type,
      buffer: Buffer.from(await value.arrayBuffer()),
    })
  }
  return { body, files }
}

const decodeText = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const readBody = async (
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<{ body: Json; files: File[] }> => {
  const type = typeOf(headers)
  if (bytes.length === 0) return { body: {}, files: [] }
  if (type === 'multipart/form-data') return readForm(bytes, headers)
  const text = decodeText(bytes)
  if (type === 'application/json' || type.endsWith('+json')) {
    if (hasInfiniteNumber(text ?? '')) {
      throw new Refusal('The body holds a number that is too large. Send it as a string.', {
        code: 'malformed_json',
        cause: null,
      })
    }
    try {
      return { body: JSON.parse(text ?? ''), files: [] }
    } catch (cause) {
      throw new Refusal('The body is not valid JSON.', { code: 'malformed_json', cause })
    }
  }
  if (type === 'application/x-www-form-urlencoded') {
    return { body: Object.fromEntries(new URLSearchParams(text ?? '')), files: [] }
  }
  const isText = type === '' || type.startsWith('text/') || type.endsWith('xml')
  return { body: isText && text !== null ? text : bytes, files: [] }
}

const createFunctionContext = async (base: Base) => {
  const { method, url: address, headers: pairs, body: encoded, ip, requestId } = base.input
  const url = new URL(address)
  const headers: Record<string, string> = {}
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value
  }
  const bytes = encoded === null ? new Uint8Array(0) : toBytes(encoded)
  const { body, files } = await readBody(bytes, headers)
  const query = Object.fromEntries(url.searchParams)
  const set = { status: undefined as number | undefined, headers: {} as Record<string, unknown> }
  return {
    query,
    body,
    headers,
    method,
    files,
    requestId,
    request: {
      url: `${url.pathname}${url.search}`,
      path: url.pathname,
      hostname: url.hostname,
      protocol: url.protocol.replace(':', ''),
      method,
      ip,
      headers,
      query,
      body,
      /** The body as received. */
      rawBody: bytes,
    },
    set,
    variables: base.variables,
    resources: base.resources,
    state: base.state,
    run: base.run,
    startFlow: base.startFlow,
    sendEvent: base.sendEvent,
    cancel: base.cancel,
    fetch: base.fetch,
    log: base.log,
  }
}

type FunctionContext = Awaited<ReturnType<typeof createFunctionContext>>

const textAnswer = (type: string, text: string): Answer => ({
  status: 200,
  headers: [['content-type', type]],
  body: new TextEncoder().encode(text),
})

/** Turns a return value into a response: text, bytes, nothing or JSON [functions 5]. */
const toAnswer = (value: unknown): Answer => {
  if (value === undefined) return { status: 204, headers: [], body: null }
  if (typeof value === 'string') return textAnswer('text/plain; charset=utf-8', value)
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes =
      value instanceof ArrayBuffer
        ? new Uint8Array(value)
        : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    return { status: 200, headers: [['content-type', 'application/octet-stream']], body: bytes }
  }
  const json = JSON.stringify(value)
  if (json === undefined) throw new TypeError(`A function cannot return a ${typeof value}.`)
  return textAnswer('application/json; charset=utf-8', json)
}

/** Applies `ctx.set`, which takes precedence over the return value. */
const applySet = (answer: Answer, { set }: FunctionContext): Answer => {
  const own = Object.entries(set.headers).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as [string, string],
  )
  const names = new Set(own.map(([name]) => name))
  return {
    ...answer,
    status: set.status ?? answer.status,
    headers: [...answer.headers.filter(([name]) => !names.has(name)), ...own],
  }
}

type SendPart = (part: string) => Promise<void>

const head = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): string =>
  JSON.stringify({ status, headers })

const sendBytes = async (send: SendPart, bytes: Uint8Array): Promise<void> => {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    await send(toBase64(bytes.subarray(at, at + PART_BYTES)))
  }
}

const sendStream = async (send: SendPart, body: ReadableStream<Uint8Array>): Promise<void> => {
  for await (const chunk of body) await sendBytes(send, chunk)
}

const finish = async (answer: Answer, send: SendPart): Promise<unknown> => {
  const { body } = answer
  if (body !== null && body.length > MAX_WHOLE_BYTES) {
    await send(head(answer))
    await sendBytes(send, body)
    return null
  }
  return { ...answer, body: body === null ? null : toBase64(body) }
}

const answerResponse = async (
  response: Response,
  context: FunctionContext,
  send: SendPart,
): Promise<unknown> => {
  const { status, body } = response
  const headers: [string, string][] = [...response.headers]
  const answer = applySet({ status, headers, body: null }, context)
  if (body === null) return finish(answer, send)
  await send(head(answer))
  await sendStream(send, body)
  return null
}

/** Creates the action that serves a function. @param module the function's module, with `default` or `main` */
export const serve = (module: Module) => {
  const chosen = module.default ?? module.main
  if (typeof chosen !== 'function') {
    throw Object.assign(new Error('The function exports neither a default function nor main.'), {
      name: 'InvalidFunction',
    })
  }
  return async (base: Base): Promise<unknown> => {
    const part: unknown = Reflect.get(base, PART)
    const send: SendPart = async (text) => {
      if (typeof part === 'function') await part(text)
    }
    try {
      const context = await createFunctionContext(base)
      const value: unknown = await chosen(context)
      if (value instanceof Response) return await answerResponse(value, context, send)
      return await finish(applySet(toAnswer(value), context), send)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const wire = { error: error.message, code: error.code, request_id: base.input.requestId }
      const body = new TextEncoder().encode(JSON.stringify(wire))
      return finish(
        { status: error.status, headers: [['content-type', 'application/json']], body },
        send,
      )
    }
  }
}
