/**
 * Serves a folder's functions as a server would: the same sandbox, the same context, the same answers. A function with a fault
 * answers with its place, and the others continue.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { v7 } from 'uuid'
import { AppError } from '#core/error.ts'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import {
  type FunctionCode,
  type FunctionEnd,
  runFunction,
} from '#service/functions/run-function.ts'
import type { DevFunctions, Loaded } from './dev-functions.ts'
import { showMessages } from './function-folder.ts'

export type Call = Readonly<{
  method: string
  url: string
  status: number
  ms: number
  log: string
  error: string | null
}>

export type DevOptions = Readonly<{
  app: string
  functions: DevFunctions
  memoryMb: number
  /** SVC_EGRESS_ALLOW. */
  granted: readonly string[]
  sandbox: Sandbox
  variables: Readonly<Record<string, string>>
  /** What functions start. */
  start: FunctionCode['start']
  onCall: (call: Call) => void
}>

export interface DevServer {
  /** @returns the port. @throws {Error} it is taken */
  listen(port: number): Promise<number>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 10 * 1_024 * 1_024

const readBody = async (request: IncomingMessage): Promise<Uint8Array> => {
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

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(`${JSON.stringify(body)}\n`)
}

const send = async (response: ServerResponse, answer: Response): Promise<void> => {
  const cookies = answer.headers.getSetCookie()
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'set-cookie'))
  response.writeHead(answer.status, {
    ...headers,
    ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
  })
  if (answer.body === null) response.end()
  else
    await pipeline(Readable.from(answer.body, { objectMode: false }), response).catch(
      () => undefined,
    )
}

const errorOf = ({ outcome }: FunctionEnd): string | null =>
  outcome.kind === 'failure' ? `${outcome.error.name}: ${outcome.error.message}` : null

/** The log of a call, and its error. */
type Output = Readonly<{ log: string; error: string | null }>
const NOTHING: Output = { log: '', error: null }

type Exchange = Readonly<{ request: IncomingMessage; response: ServerResponse }>

/** What is answered without any code being run. */
const refuse = (
  { request, response }: Exchange,
  { app, functions }: DevOptions,
  found: Loaded | undefined,
): Output => {
  const name = nameOf(request)
  if (name === '') {
    sendJson(response, 200, { app, functions: functions.names().map((each) => `/${each}`) })
    return NOTHING
  }
  if (found === undefined) {
    sendJson(response, 404, { error: `There is no function ${name}.` })
    return NOTHING
  }
  if ('faults' in found) {
    const error = showMessages(found.faults)
    sendJson(response, 500, { error: `Dev server error: ${error}` })
    return { log: '', error }
  }
  const { methods } = found.source.definition
  response.setHeader('allow', methods.join(', '))
  sendJson(response, 405, { error: `This function takes ${methods.join(', ')}.` })
  return NOTHING
}

const urlOf = ({ url = '/', headers }: IncomingMessage): URL =>
  new URL(url, `http://${headers.host ?? 'localhost'}`)

const nameOf = (request: IncomingMessage): string =>
  decodeURIComponent(urlOf(request).pathname.replace(/^\/+|\/+$/g, ''))

type Runnable = Extract<Loaded, { entry: unknown }>

const mayRun = (found: Loaded | undefined, method: string): found is Runnable =>
  found !== undefined &&
  'entry' in found &&
  found.source.definition.methods.some(
    (known) => known === method || (method === 'HEAD' && known === 'GET'),
  )

const run = async (
  { request, response }: Exchange,
  sandbox: Sandbox,
  code: FunctionCode,
): Promise<Output> => {
  const requestId = v7()
  const left = new AbortController()
  response.once('close', () => left.abort())
  const made = await runFunction(sandbox, {
    code,
    request: {
      method: request.method ?? 'GET',
      url: urlOf(request).href,
      headers: headerPairs(request),
      body: await readBody(request),
      ip: request.socket.remoteAddress ?? null,
      requestId,
    },
    signal: left.signal,
  })
  if (made.kind === 'failed') {
    const { outcome, log } = made.end
    const isTimeout = outcome.kind === 'failure' && outcome.error.name === 'Timeout'
    const error = errorOf(made.end)
    sendJson(response, isTimeout ? 504 : 500, { error, request_id: requestId })
    return { log, error }
  }
  made.response.headers.set('x-request-id', requestId)
  await send(response, made.response)
  const end = await made.end
  return { log: end.log, error: errorOf(end) }
}

/** Creates the local server of a folder's functions; its state is in memory and ends with it. */
export const createDevServer = (options: DevOptions): DevServer => {
  const state = createMemoryState()
  const sockets = new Set<Socket>()

  const codeOf = ({ source, entry }: Runnable): FunctionCode => ({
    ws: 'dev',
    app: options.app,
    name: source.name,
    version: source.hash,
    entrypoint: `functions/${source.name}/${source.entrypoint}`,
    bundleHash: entry.hash,
    loadCode: async () => entry,
    timeoutMs: source.definition.timeoutS * 1_000,
    memoryMb: options.memoryMb,
    network: source.definition.network ?? null,
    granted: options.granted,
    variables: options.variables,
    resources: {},
    state,
    start: options.start,
  })

  const answer = async (exchange: Exchange): Promise<Output> => {
    const { request, response } = exchange
    try {
      const found = options.functions.find(nameOf(request))
      return mayRun(found, request.method ?? 'GET')
        ? await run(exchange, options.sandbox, codeOf(found))
        : refuse(exchange, options, found)
    } catch (error) {
      const isLarge = error instanceof AppError && error.kind === 'too_large'
      const message = error instanceof Error ? error.message : String(error)
      if (!response.headersSent) sendJson(response, isLarge ? 413 : 500, { error: message })
      return { log: '', error: message }
    }
  }

  const server = createServer((request, response) => {
    const before = performance.now()
    void answer({ request, response }).then((told) => {
      const { method = 'GET', url = '/' } = request
      const ms = Math.round(performance.now() - before)
      options.onCall({ method, url, status: response.statusCode, ms, ...told })
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
