/** Runs `git http-backend` (CGI) for one request and streams both ways; its pre-receive hook calls `onRefs`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type AppError, unavailable } from '#core/error.ts'
import { createPacedStarts } from '#core/fairness/paced-starts.ts'
import { limit } from '#core/limit.ts'
import { type ClientPace, createClientPace } from './client-pace.ts'
import { openPushObjects } from './push-objects.ts'
import { type PushFolder, pushEnvironment } from './push-repository.ts'
import { withLimit } from './run-git.ts'

export type RefUpdate = Readonly<{ old: string; new: string; ref: string }>

export type Proposal = Readonly<{
  /** Folder of the new objects, which git has not accepted yet. */
  objects: string
  updates: readonly RefUpdate[]
  /** Shows a line to the user of git. */
  say: (line: string) => void
  /** Settles when git has ended and the refs are final. */
  ended: Promise<void>
}>

export type BackendRequest = Readonly<{
  repository: string
  service: 'git-upload-pack' | 'git-receive-pack'
  /** Whether this is the GET of the refs rather than the service itself. */
  isAdvertisement: boolean
  contentEncoding: string | undefined
  protocol: string | undefined
  body: ReadableStream<Uint8Array> | null
  signal: AbortSignal
  /** Decides whether git accepts the refs. */
  onRefs: (proposal: Proposal) => Promise<boolean>
  /** Called once, when git has ended. */
  onEnded: () => void
}>

const TIMEOUT_MS = limit(
  'push.time',
  600_000,
  'ms',
  'A push, clone or fetch. Longer: it is cut off.',
)
const MAX_HOOK_BYTES = limit(
  'push.refs',
  256 * 1_024,
  'bytes',
  'Names of the refs of one push together. More: the push is refused.',
)
/** Bytes that a request may contain in addition to its pack. */
const MAX_COMMANDS_BYTES = 1_048_576
const MAX_HEADER_BYTES = 8_192

/** For git to end by itself. */
const GRACE_MS = 2_000

const kill = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

const environmentOf = (folder: PushFolder, request: BackendRequest, objects: string | null) => {
  const { repository, service, isAdvertisement, contentEncoding, protocol } = request
  const place = isAdvertisement ? 'info/refs' : service
  return {
    ...pushEnvironment(folder),
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROJECT_ROOT: dirname(repository),
    PATH_INFO: `/${basename(repository)}/${place}`,
    REQUEST_METHOD: isAdvertisement ? 'GET' : 'POST',
    QUERY_STRING: isAdvertisement ? `service=${service}` : '',
    REMOTE_USER: 'svc',
    REMOTE_ADDR: '127.0.0.1',
    ...(isAdvertisement ? {} : { CONTENT_TYPE: `application/x-${service}-request` }),
    ...(contentEncoding === undefined ? {} : { HTTP_CONTENT_ENCODING: contentEncoding }),
    ...(protocol === undefined ? {} : { GIT_PROTOCOL: protocol }),
    ...(objects === null ? {} : { GIT_OBJECT_DIRECTORY: objects }),
  }
}

/** To start a process blocks this one for up to 25 ms. It is module state because the event loop belongs to the process. */
const inTurn = createPacedStarts({ share: 0.25, now: () => performance.now(), pause })

/** @throws {AppError} unavailable: git or its HTTP backend is not installed */
export const runBackend = (folder: PushFolder, request: BackendRequest): Promise<Response> =>
  inTurn(() => startBackend(folder, request))

const startBackend = async (folder: PushFolder, request: BackendRequest): Promise<Response> => {
  const isPush = request.service === 'git-receive-pack' && !request.isAdvertisement
  const objects = isPush ? openPushObjects(request.repository) : null
  const [shell, words] = withLimit('git', ['http-backend'])
  const child = spawn(shell, words, {
    env: environmentOf(folder, request, objects?.folder ?? null),
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    detached: true,
  })
  if (child.pid === undefined) {
    // the error comes as an event; without descriptors there are no streams either
    child.once('error', () => undefined)
    objects?.remove()
    request.onEnded()
    throw noBackend()
  }
  const { stdin, stdout } = child
  const channel = child.stdio[3]
  if (stdin === null || stdout === null || !(channel instanceof Duplex)) {
    throw new Error('git was started without its streams.')
  }
  const output: AsyncIterable<Uint8Array> = stdout
  const parts = output[Symbol.asyncIterator]()
  let isDeciding = false
  let isOver = false
  const end = (): void => {
    if (!isOver) kill(child)
    // a process whose output is not read is not reported as closed
    for (const stream of [stdin, stdout, channel]) stream.destroy()
  }
  const stop = (): void => {
    // without input git ends by itself, and may state why
    stdin.destroy()
    channel.destroy()
    setTimeout(end, GRACE_MS).unref()
  }
  // while the refs of a push are being decided, git is left to end by itself, for which its output must be read
  const onAbort = (): void => {
    if (isDeciding) void discard(parts)
    else end()
  }
  const timer = setTimeout(stop, TIMEOUT_MS)
  const sending = createClientPace(stop)
  const reading = createClientPace(onAbort)
  request.signal.addEventListener('abort', onAbort, { once: true })
  const ended = new Promise<void>((done) => {
    const close = (): void => {
      if (isOver) return
      isOver = true
      objects?.remove()
      request.onEnded()
      clearTimeout(timer)
      sending.end()
      reading.end()
      request.signal.removeEventListener('abort', onAbort)
      done()
    }
    child.once('close', close)
    child.once('error', close)
  })
  for (const stream of [stdin, stdout, channel]) stream.on('error', () => undefined)
  const onDeciding = (): void => {
    isDeciding = true
  }
  const own = objects?.folder ?? ''
  void answerHook(channel, request, { own, ended, onDeciding }).catch(stop)
  void feed(stdin, request.body, {
    maxBytes: folder.maxBytes + MAX_COMMANDS_BYTES,
    pace: sending,
  }).catch(stop)
  if (request.signal.aborted) onAbort()
  return toResponse(parts, { pace: reading, onCancel: onAbort })
}

const discard = async (parts: AsyncIterator<Uint8Array>): Promise<void> => {
  try {
    while ((await parts.next()).done !== true);
  } catch {
    // git was stopped
  }
}

type Feeding = Readonly<{ maxBytes: number; pace: ClientPace }>

/** Reads the next part, for which the client is waited. */
const readPart = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  pace: ClientPace,
): Promise<Uint8Array | null> => {
  pace.wait()
  const { value = null } = await reader.read()
  pace.moved(value?.length ?? 0)
  return value
}

/** @throws {Error} the body is too large, or its sender disconnected */
const feed = async (
  stdin: NonNullable<ChildProcess['stdin']>,
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, pace }: Feeding,
): Promise<void> => {
  if (body !== null) {
    const reader = body.getReader()
    let size = 0
    for (;;) {
      const part = await readPart(reader, pace)
      if (part === null) break
      size += part.length
      if (size > maxBytes) throw new Error('The push is too large.')
      // git may end without reading all of its input; the rest is discarded
      if (!stdin.writable) continue
      // the callback also runs after an error, which the next iteration detects
      await new Promise<void>((resume) => stdin.write(part, () => resume()))
    }
  }
  stdin.end()
}

const UPDATE = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/s

type Decision = Readonly<{
  /** The folder of the objects of this push. */
  own: string
  ended: Promise<void>
  onDeciding: () => void
}>

const answerHook = async (
  channel: Duplex,
  { repository, onRefs }: BackendRequest,
  { own, ended, onDeciding }: Decision,
): Promise<void> => {
  const said = await readProposal(channel)
  if (said === null) return
  onDeciding()
  const [objects = '', ...lines] = said
  const updates = lines.map((line): RefUpdate => {
    const match = UPDATE.exec(line)
    if (match === null) throw new Error('git named a malformed ref.')
    return { old: match[1] ?? '', new: match[2] ?? '', ref: match[3] ?? '' }
  })
  // a push that only deletes brings no objects
  const folder = objects === own ? join(repository, 'objects') : objects
  if (objects !== own && !objects.startsWith(`${own}/`)) {
    throw new Error('git named another folder.')
  }
  const say = (text: string): void => {
    for (const line of text.split('\n')) channel.write(`=${line.replaceAll(/\p{Cc}/gu, ' ')}\n`)
  }
  const isAccepted = await onRefs({ objects: folder, updates, say, ended })
  channel.end(isAccepted ? 'accept\n' : 'refuse\n')
}

/** Null if the hook did not run. @throws {Error} too long */
const readProposal = async (channel: Duplex): Promise<readonly string[] | null> => {
  let text = ''
  return new Promise((resolve, reject) => {
    channel.setEncoding('utf8')
    channel.on('data', (part: string) => {
      text += part
      if (text.length > MAX_HOOK_BYTES) reject(new Error('The push names too many refs.'))
      else if (text.endsWith('\nend\n')) resolve(text.slice(0, -'\nend\n'.length).split('\n'))
    })
    channel.once('close', () => resolve(null))
  })
}

const noBackend = (): AppError =>
  unavailable(
    'git http-backend did not start on this server. Install git there, with its HTTP backend.',
    { code: 'no_git' },
  )

/** Reads the CGI headers, then streams the rest. @throws {AppError} unavailable */
const toResponse = async (
  parts: AsyncIterator<Uint8Array>,
  { pace, onCancel }: Readonly<{ pace: ClientPace; onCancel: () => void }>,
): Promise<Response> => {
  let head = Buffer.alloc(0)
  let end = -1
  while (end < 0) {
    const part = await parts.next()
    if (part.done === true || head.length > MAX_HEADER_BYTES) throw noBackend()
    head = Buffer.concat([head, part.value])
    end = head.indexOf('\r\n\r\n')
  }
  const headers = new Headers()
  let status = 200
  for (const line of head.toString('latin1', 0, end).split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).trim()
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
    else headers.set(name, value)
  }
  const rest = new Uint8Array(head.subarray(end + 4))
  let size = rest.length
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      if (rest.length === 0) return
      controller.enqueue(rest)
      pace.wait()
    },
    // comes when the client has read the part before
    pull: async (controller) => {
      pace.moved(size)
      const part = await parts.next()
      if (part.done === true) return controller.close()
      size = part.value.length
      controller.enqueue(new Uint8Array(part.value))
      pace.wait()
    },
    cancel: onCancel,
  })
  return new Response(body, { status, headers })
}
