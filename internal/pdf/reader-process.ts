/**
 * One process that reads PDFs, as its host holds it. Nothing here throws or rejects for what a file does to it: whatever
 * happens is one answer, and a process that did not answer as it should is gone.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { createByteReader, toFrame } from './byte-reader.ts'
import {
  messageSchema,
  type OnPage,
  type ReaderAnswer,
  type ReaderMessage,
  type ReaderRequest,
} from './protocol.ts'
import type { PdfFailure } from './reading.ts'

/** What starts a reader. */
export type ReaderCommand = Readonly<{
  command: string
  args: readonly string[]
  /** All of its environment: nothing is inherited. */
  env: Readonly<Record<string, string>>
  /** Ends it together with the programs around it. @default a signal to the process itself */
  end?: (pid: number) => void
}>

export interface ReaderProcess {
  /** True until it was stopped, by `stop` or by an answer that did not come. */
  alive(): boolean
  /** One file at a time. @param parts the file's bytes, in order */
  ask(
    request: ReaderRequest,
    parts: readonly Uint8Array[],
    timeoutMs: number,
    onPage?: OnPage,
  ): Promise<ReaderAnswer>
  stop(): void
}

/** Far beyond what a certificate of the most pages gives. */
const MAX_ANSWER_BYTES = 64 * 1_024 * 1_024
const SETPRIV = '/usr/bin/setpriv'

/**
 * No core dumps, few open files, an end to its memory and, should its host be killed, to its time. A system
 * that lacks one of them does without. Address space that V8 only reserves counts as memory here, about half a gigabyte.
 */
const LIMITS = ['ulimit -c 0', 'ulimit -n 64', 'ulimit -t 3600', 'ulimit -d 1500000']
  .map((limit) => `${limit} 2>/dev/null; `)
  .join('')

const spawnReader = ({ command, args, env, end }: ReaderCommand) => {
  // the kernel ends the reader when this process dies, and bubblewrap does so by itself
  const setpriv =
    end === undefined && existsSync(SETPRIV)
      ? [SETPRIV, '--pdeathsig', 'KILL', '--no-new-privs']
      : []
  const words = ['-c', `${LIMITS}exec "$@"`, 'svc-reader', ...setpriv, command, ...args]
  return spawn('/bin/sh', words, {
    env,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    // a signal from the terminal is for the host, which ends its readers when it is done
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

/** Returns at once; the process starts meanwhile. */
export const startReader = (command: ReaderCommand): ReaderProcess => {
  const child: Child = spawnReader(command)
  const reader = createByteReader(child.stdout)
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
  // a reader that died leaves its pipes broken: that is seen by its answer
  for (const stream of [child.stdin, child.stdout]) stream.on('error', () => undefined)

  const readAnswer = async (onPage: OnPage): Promise<ReaderAnswer> => {
    for (;;) {
      const message = toMessage(await reader.readText(MAX_ANSWER_BYTES))
      if (message.kind !== 'progress') return message
      onPage({ page: message.page, pages: message.pages })
    }
  }

  const ask: ReaderProcess['ask'] = async (request, parts, timeoutMs, onPage = () => undefined) => {
    const late = Promise.withResolvers<ReaderAnswer>()
    const timer = setTimeout(
      () => late.resolve(failed('too_slow', 'The file takes too long to read.')),
      timeoutMs,
    )
    send(child, request, parts)
    const answered = readAnswer(onPage).catch(() =>
      failed('too_big', 'The file takes too much memory to read.'),
    )
    const answer = await Promise.race([answered, late.promise])
    clearTimeout(timer)
    if (answer.kind === 'failed') stop()
    return answer
  }
  return { alive: () => living, ask, stop }
}
