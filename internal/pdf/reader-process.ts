/**
 * One process that reads PDFs, from its host's side. Nothing here throws or rejects for what a file
 * does: every outcome is a response, and a process that did not respond properly is ended.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { callerGone, unavailable } from '#core/error.ts'
import { createByteReader, toFrame } from './byte-reader.ts'
import {
  messageSchema,
  type OnPage,
  type OnStep,
  type ReaderAnswer,
  type ReaderMessage,
  type ReaderRequest,
} from './protocol.ts'
import type { PdfFailure } from './reading.ts'

/** The command that starts a reader. */
export type ReaderCommand = Readonly<{
  command: string
  args: readonly string[]
  /** The complete environment; nothing is inherited. */
  env: Readonly<Record<string, string>>
  /** Ends the reader together with the programs around it. @default a signal to the process itself */
  end?: (pid: number) => void
}>

export type AskOptions = Readonly<{
  timeoutMs: number
  /** Ends the reading and its process. */
  signal?: AbortSignal | undefined
  onPage?: OnPage | undefined
}>

export interface ReaderProcess {
  /** True until the process is stopped, by `stop` or because a response did not come. */
  alive(): boolean
  /**
   * Reads one file at a time.
   * @param parts the bytes of the file, in order
   * @throws {AppError} unavailable: the program did not start, or the caller has gone
   */
  ask(request: ReaderRequest, parts: readonly Uint8Array[], how: AskOptions): Promise<ReaderAnswer>
  stop(): void
}

const MIB = 1_024 * 1_024
/**
 * More than the maximum number of pages yields. Of a node, each MiB of a document blocks its other work for 30 ms, while it is
 * parsed and sent. Only the command line, which has no other work, reads all texts of the pages.
 */
const MAX_ANSWER_BYTES = { content: 64 * MIB, registry: 16 * MIB, scan: 16 * MIB } as const
/** The exit codes of a shell that cannot start a program. */
const NOT_STARTED: ReadonlySet<number> = new Set([126, 127])
const NO_READER = { code: 'parser_busy', retryAfterS: 5 } as const
const SETPRIV = '/usr/bin/setpriv'

/**
 * No core dumps, few open files, and limits on memory and, if its host is killed, on time. A system that does not
 * support one of them does without it. Memory includes address space that V8 only reserves, about half a gigabyte.
 */
const LIMITS = ['ulimit -c 0', 'ulimit -n 64', 'ulimit -t 3600', 'ulimit -d 1500000']
  .map((limit) => `${limit} 2>/dev/null; `)
  .join('')

const spawnReader = ({ command, args, env, end }: ReaderCommand) => {
  // the kernel ends the reader when this process dies; bubblewrap does so itself
  const setpriv =
    end === undefined && existsSync(SETPRIV)
      ? [SETPRIV, '--pdeathsig', 'KILL', '--no-new-privs']
      : []
  const words = ['-c', `${LIMITS}exec "$@"`, 'svc-reader', ...setpriv, command, ...args]
  return spawn('/bin/sh', words, {
    env,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    // a signal from the terminal is for the host, which ends its readers when it has finished
    detached: true,
  })
}

const failed = (failure: PdfFailure, message: string): ReaderAnswer => ({
  kind: 'failed',
  failure,
  message,
})

const toMessage = (text: string | null): ReaderMessage =>
  text === null
    ? failed('too_big', 'The file takes too much memory to read.')
    : messageSchema.parse(JSON.parse(text))

type Child = ChildProcessByStdio<Writable, Readable, null>

const send = ({ stdin }: Child, request: ReaderRequest, parts: readonly Uint8Array[]): void => {
  stdin.write(toFrame(JSON.stringify(request)))
  for (const part of parts) stdin.write(part)
}

/** Whether the program had started when the process ended. */
const endOf = (child: Child): Promise<boolean> =>
  new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === null || !NOT_STARTED.has(code)))
  })

/** Null if the program did not start. */
type Answer = ReaderAnswer | null

/** @throws {AppError} the caller has gone */
const within = async (
  start: (onStep: OnStep) => Promise<Answer>,
  { timeoutMs, signal }: AskOptions,
): Promise<Answer> => {
  const early = Promise.withResolvers<Answer>()
  const giveUp = (): void => early.resolve(failed('too_slow', 'The file takes too long to read.'))
  const timer = setTimeout(giveUp, timeoutMs)
  let step: NodeJS.Timeout | undefined
  const onStep: OnStep = (allowedMs) => {
    clearTimeout(step)
    step = allowedMs === null ? undefined : setTimeout(giveUp, allowedMs)
  }
  const leave = (): void => early.reject(callerGone())
  if (signal?.aborted === true) leave()
  signal?.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([start(onStep), early.promise])
  } finally {
    clearTimeout(timer)
    clearTimeout(step)
    signal?.removeEventListener('abort', leave)
  }
}

/** Starts a reader. Returns at once, while the process still starts. @throws {Error} the host is out of file descriptors */
export const startReader = (command: ReaderCommand): ReaderProcess => {
  const child: Child = spawnReader(command)
  const ended = endOf(child)
  let living = true
  const stop = (): void => {
    const isLate = !living
    living = false
    if (isLate) return
    if (command.end === undefined || child.pid === undefined) child.kill('SIGKILL')
    else command.end(child.pid)
  }
  child.on('error', stop)
  child.on('exit', stop)
  const reader = createByteReader(child.stdout)
  // a reader that died leaves its pipes broken; the missing response shows it
  for (const stream of [child.stdin, child.stdout]) stream.on('error', () => undefined)

  const readAnswer = async (maxBytes: number, onPage: OnPage, onStep: OnStep): Promise<Answer> => {
    for (;;) {
      const text = await reader.readText(maxBytes)
      if (text === null) stop()
      if (text === null && !(await ended)) return null
      const message = toMessage(text)
      if (message.kind === 'progress') onPage({ page: message.page, pages: message.pages })
      else if (message.kind === 'step') onStep(message.allowedMs)
      else return message
    }
  }

  const ask: ReaderProcess['ask'] = async (request, parts, how) => {
    send(child, request, parts)
    const maxBytes = MAX_ANSWER_BYTES[request.work.kind]
    const start = (onStep: OnStep): Promise<Answer> =>
      readAnswer(maxBytes, how.onPage ?? (() => undefined), onStep).catch(() =>
        failed('too_big', 'The file takes too much memory to read.'),
      )
    let answer: Answer = null
    try {
      answer = await within(start, how)
    } finally {
      if (answer?.kind !== 'content' && answer?.kind !== 'registry') stop()
    }
    // the file is not the reason: the program was moved, or the machine has no process left
    if (answer === null) throw unavailable('The reader did not start. Try again later.', NO_READER)
    return answer
  }
  return { alive: () => living, ask, stop }
}
