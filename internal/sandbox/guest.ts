/**
 * The program inside a guest process: loads an app's code, runs `main(ctx)` job after job, answers by frames. It runs on
 * Deno and on Node alike, is compiled into guest.gen.ts, and imports nothing at run time.
 *
 * Everything it needs is taken before user code runs, so that code which replaces built-ins can only fool itself.
 */
import type { HostMessage, LoadMessage, RunMessage, StateMessage } from './protocol.ts'

type Runtime = Readonly<{
  write: (bytes: Uint8Array) => number
  input: AsyncIterable<Uint8Array>
}>

type DenoGlobal = {
  stdin: { readable: AsyncIterable<Uint8Array> }
  stdout: { writeSync(bytes: Uint8Array): number }
}
type NodeProcess = {
  stdin: AsyncIterable<Uint8Array>
  getBuiltinModule(name: 'node:fs'): { writeSync(fd: number, bytes: Uint8Array): number }
  on(event: string, listener: (error: unknown) => void): void
}
declare const Deno: DenoGlobal | undefined
declare const process: NodeProcess
declare const addEventListener: (type: string, listener: (event: Event) => void) => void

const onDeno = typeof Deno !== 'undefined'

const openRuntime = (): Runtime => {
  if (typeof Deno !== 'undefined') {
    const { stdout } = Deno
    return { write: (bytes) => stdout.writeSync(bytes), input: Deno.stdin.readable }
  }
  const { writeSync } = process.getBuiltinModule('node:fs')
  return { write: (bytes) => writeSync(1, bytes), input: process.stdin }
}

const { write, input } = openRuntime()
const { parse, stringify } = JSON
const encoder = new TextEncoder()
const makeBlobUrl = URL.createObjectURL.bind(URL)
const revokeBlobUrl = URL.revokeObjectURL.bind(URL)
const encodeText = encoder.encode.bind(encoder)
const BlobClass = Blob
const ErrorClass = Error
const PromiseClass = Promise
const { freeze, keys } = Object

let mark = ''

const sendBytes = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += write(at === 0 ? bytes : bytes.subarray(at))
}
const send = (kind: string, body: string): void => sendBytes(encodeText(`${mark}${kind}${body}\n`))

type Main = (ctx: unknown) => unknown
type Loaded = { readonly entrypoint: string; readonly url: string; main: Promise<Main> }
const loaded = new Map<string, Loaded>()

/** Blob addresses mean nothing to a person, nor to the source map. */
const nameBundles = (text: string): string => {
  let named = text
  for (const { url, entrypoint } of loaded.values()) {
    named = named.split(url).join(`svc-bundle:${entrypoint}`)
  }
  return named
}

class InvalidAction extends Error {
  override readonly name = 'InvalidAction'
}

const importMain = async ({
  url,
  entrypoint,
}: Readonly<{ url: string; entrypoint: string }>): Promise<Main> => {
  const module: Record<string, unknown> = await import(url)
  const { main } = module
  if (typeof main === 'function') return (ctx) => main(ctx)
  const found = keys(module).join(', ') || 'nothing'
  throw new InvalidAction(`${entrypoint} must export a function "main"; it exports ${found}.`)
}

const toUrl = (code: string): string => {
  // Node imports no blobs; a data address is as good, only longer in memory
  if (!onDeno) return `data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`
  return makeBlobUrl(new BlobClass([code], { type: 'text/javascript' }))
}

const load = ({ hash, entrypoint, code }: LoadMessage): void => {
  const url = toUrl(code)
  const main = importMain({ url, entrypoint })
  main
    .catch(() => undefined)
    .finally(() => {
      if (onDeno) revokeBlobUrl(url)
    })
  loaded.set(hash, { entrypoint, url, main })
}

/** Frames of the runtime and of this program tell an author nothing. */
const INNER_FRAME = /^\s+at .*(?:guest\.mjs|ext:|node:internal)/
const authorFrames = (stack: string): string =>
  nameBundles(stack)
    .split('\n')
    .filter((line) => !INNER_FRAME.test(line))
    .join('\n')

type Failure = { name: string; message: string; stack: string }

/** Whatever was thrown, as three texts. Getters of a hostile error may throw themselves. */
const toFailure = (thrown: unknown): Failure => {
  try {
    if (
      thrown instanceof ErrorClass ||
      (typeof thrown === 'object' && thrown !== null && 'message' in thrown)
    ) {
      const { name, message, stack } = thrown as {
        name?: unknown
        message?: unknown
        stack?: unknown
      }
      return {
        name: String(name ?? 'Error').slice(0, 200),
        message: nameBundles(String(message ?? '')).slice(0, 10_000),
        stack: authorFrames(String(stack ?? '')).slice(0, 20_000),
      }
    }
    const text = typeof thrown === 'string' ? thrown : (stringify(thrown) ?? String(thrown))
    return { name: 'Error', message: text.slice(0, 10_000), stack: '' }
  } catch {
    return { name: 'Error', message: 'The script threw something that cannot be shown.', stack: '' }
  }
}

/** The job that runs now; null between two jobs, when output and failures of leftovers are dropped. */
let current: { fail: (thrown: unknown) => void; logBytesLeft: number } | null = null

const LOG_LIMIT_MARK = '\n[svc] The log limit is reached; further output is dropped.\n'

const log = (text: string): void => {
  if (current === null || current.logBytesLeft <= 0) return
  const named =
    text.includes('blob:') || text.includes('data:text/javascript') ? nameBundles(text) : text
  const size = encodeText(named).length
  const left = current.logBytesLeft
  current.logBytesLeft = left - size
  send('L', stringify(size <= left ? named : named.slice(0, left) + LOG_LIMIT_MARK))
}

const show = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (value instanceof ErrorClass) return String(value.stack ?? value)
  try {
    return stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
const logLine = (...values: unknown[]): void => log(`${values.map(show).join(' ')}\n`)

for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
  console[method] = logLine
}

let lastCall = 0
const calls = new Map<
  number,
  { resolve: (value: unknown) => void; reject: (error: Error) => void }
>()

const callHost = (op: 'get' | 'set', key: unknown, value?: unknown): Promise<unknown> => {
  if (typeof key !== 'string' || key === '') {
    return PromiseClass.reject(
      new TypeError('The key of ctx.state must be a text that is not empty.'),
    )
  }
  lastCall += 1
  const id = lastCall
  return new PromiseClass((resolve, reject) => {
    calls.set(id, { resolve, reject })
    send('S', stringify({ id, op, key, value: value === undefined ? null : value }))
  })
}

const settle = ({ id, value, error }: StateMessage): void => {
  const call = calls.get(id)
  calls.delete(id)
  if (error === undefined) call?.resolve(value)
  else call?.reject(new ErrorClass(error))
}

const toContext = (message: RunMessage) => ({
  input: message.input,
  trigger: freeze(message.trigger),
  variables: freeze(message.variables),
  resources: freeze(message.resources),
  job: freeze(message.job),
  state: freeze({
    get: (key: unknown) => callHost('get', key),
    set: (key: unknown, value: unknown) => callHost('set', key, value),
  }),
  log: logLine,
})

const sendResult = (result: unknown, limit: number): void => {
  let text: string | undefined
  try {
    text = result === undefined ? 'null' : stringify(result)
  } catch (error) {
    return sendFailure({
      name: 'InvalidResult',
      message: `The result is no JSON: ${toFailure(error).message}`,
      stack: '',
    })
  }
  if (text === undefined) {
    return sendFailure({
      name: 'InvalidResult',
      message: `The result is no JSON: a ${typeof result}.`,
      stack: '',
    })
  }
  const bytes = encodeText(`${mark}R${text}\n`)
  if (bytes.length - mark.length - 2 > limit) {
    return sendFailure({
      name: 'ResultTooLarge',
      message: `The result is larger than ${limit} bytes.`,
      stack: '',
    })
  }
  sendBytes(bytes)
}

const sendFailure = (failure: Failure): void => send('E', stringify(failure))

const run = async (message: RunMessage): Promise<void> => {
  let fail: (thrown: unknown) => void = () => undefined
  const failed = new PromiseClass<never>((_, reject) => {
    fail = reject
  })
  current = { fail, logBytesLeft: message.logBytes }
  try {
    const code = loaded.get(message.hash)
    if (code === undefined) throw new InvalidAction('The code of this job was not loaded.')
    const main = await code.main
    const result = await PromiseClass.race([main(toContext(message)), failed])
    current = null
    sendResult(result, message.resultBytes)
  } catch (thrown) {
    current = null
    sendFailure(toFailure(thrown))
  }
}

/** An error outside of main's own promise fails the job that runs; silence would hide it. */
const onStray = (thrown: unknown): void => current?.fail(thrown)

if (onDeno) {
  addEventListener('unhandledrejection', (event: Event) => {
    event.preventDefault()
    if ('reason' in event) onStray(event.reason)
  })
  addEventListener('error', (event: Event) => {
    event.preventDefault()
    if ('error' in event) onStray(event.error)
  })
} else {
  process.on('unhandledRejection', onStray)
  process.on('uncaughtException', onStray)
}

const handle = (message: HostMessage): void => {
  if (message.t === 'hello') {
    mark = `\u001e${message.nonce}`
    send('Y', '')
  } else if (message.t === 'load') load(message)
  else if (message.t === 'run') void run(message)
  else settle(message)
}

const listen = async (): Promise<void> => {
  const decoder = new TextDecoder()
  let pending = ''
  for await (const chunk of input) {
    pending += decoder.decode(chunk, { stream: true })
    let from = 0
    for (let end = pending.indexOf('\n'); end >= 0; end = pending.indexOf('\n', from)) {
      handle(parse(pending.slice(from, end)))
      from = end + 1
    }
    pending = pending.slice(from)
  }
}

void listen()
