/** Runs git once: without a shell or terminal, with limited time and output. Stopping it kills its whole process group. */
import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { unavailable } from '#core/error.ts'
import { limit } from '#core/limit.ts'

const MAX_OBJECT_BYTES = limit(
  'git.object',
  256 * 1_024 * 1_024,
  'bytes',
  'Memory that git takes for one object of a git source or a push. More: refused.',
)

/** A pack of a few KB may contain an object of many GB. Git has no setting for this, but obeys this variable. */
export const GIT_MEMORY = { GIT_ALLOC_LIMIT: String(MAX_OBJECT_BYTES) } as const

/**
 * KiB of one process: an object, the one from which it is a difference, and lists of refs and objects, which a remote may send
 * without end. A system that does not support the limit does without it.
 */
const LIMITED = 'ulimit -d 1000000 2>/dev/null; exec "$@"'

/** Returns the command that runs a program, and all that it starts, within the memory of git. */
export const withLimit = (
  command: string,
  args: readonly string[],
): readonly [shell: string, words: readonly string[]] => [
  '/bin/sh',
  ['-c', LIMITED, 'svc-git', command, ...args],
]
/** The exit code of a shell that does not find a program. */
const NOT_FOUND = 127

export type GitProgram = Readonly<{
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
}>

export type ConfinedGit = GitProgram &
  Readonly<{
    /** Ends git and all processes that it started, and leaves none of them as a zombie. */
    end: (pid: number) => void
  }>

/**
 * Confines git to one folder and to the files of this machine that it needs.
 * @returns null if this machine cannot confine
 */
export type ConfineGit = (
  program: GitProgram,
  needs: Readonly<{ folder: string; network: boolean }>,
) => ConfinedGit | null

export type GitRun = Readonly<{
  args: readonly string[]
  /** The session's folder, the only one that git may write to. */
  folder: string
  /** Whether git connects to a remote. */
  network: boolean
  /** @default no confinement */
  confine?: ConfineGit | undefined
  env: Readonly<Record<string, string>>
  timeoutMs: number
  maxOutputBytes: number
  /** Text for stdin. */
  input?: string
  /** Called every 100 ms; true stops the run. */
  isTooLarge?: () => boolean
  /** Stops the run when it is aborted. */
  signal?: AbortSignal | undefined
}>

export type GitOutcome = Readonly<{
  code: number | null
  stdout: Uint8Array
  stderr: string
  /** Why it was stopped; null if it ended by itself. `size`: `isTooLarge` returned true. */
  stopped: 'time' | 'output' | 'size' | 'signal' | null
}>

const MAX_STDERR_LENGTH = 8_192
const WATCH_MS = 100

/** Kills the process group, because git starts helpers (git-remote-https, index-pack, ssh). */
const killGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Stops each run in progress. A process group of its own would otherwise outlive svc, and with it its limit of time. */
const stops = new Set<() => void>()
process.once('exit', () => {
  for (const stop of stops) stop()
})

/** Runs git to its end; a failure of git is an outcome. @throws {AppError} unavailable: git is not installed */
export const runGit = (run: GitRun): Promise<GitOutcome> =>
  new Promise((resolve, reject) => {
    const bare = { command: 'git', args: run.args, env: run.env }
    const { folder, network } = run
    const confined = run.confine?.(bare, { folder, network }) ?? null
    const program = confined ?? bare
    const [shell, words] = withLimit(program.command, program.args)
    const child = spawn(shell, words, {
      env: { ...program.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    const parts: Uint8Array[] = []
    let size = 0
    let stderr = ''
    let stopped: GitOutcome['stopped'] = null
    const stop = (why: NonNullable<GitOutcome['stopped']>): void => {
      stopped ??= why
      // if bubblewrap were killed, its child would become a zombie of svc wherever svc is the first process of a container
      if (confined === null || child.pid === undefined) killGroup(child)
      else confined.end(child.pid)
    }
    const onAbort = (): void => stop('signal')
    stops.add(onAbort)
    const timer = setTimeout(() => stop('time'), run.timeoutMs)
    const watch = setInterval(() => {
      if (run.isTooLarge?.() === true) stop('size')
    }, WATCH_MS)
    run.signal?.addEventListener('abort', onAbort, { once: true })
    const end = (): void => {
      stops.delete(onAbort)
      clearTimeout(timer)
      clearInterval(watch)
      run.signal?.removeEventListener('abort', onAbort)
    }
    const refuse = (cause?: unknown): void => {
      const message = 'git could not be started. Install git on this machine.'
      reject(unavailable(message, { cause }))
    }
    child.once('error', (cause) => {
      end()
      refuse(cause)
    })
    // without descriptors there are no streams either
    if (child.pid === undefined) return
    child.stdout.on('data', (part: Uint8Array) => {
      size += part.length
      if (size > run.maxOutputBytes) stop('output')
      else parts.push(part)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR_LENGTH)
    })
    child.once('close', (code) => {
      end()
      if (code === NOT_FOUND) refuse()
      else resolve({ code, stdout: Buffer.concat(parts), stderr, stopped })
    })
    if (run.signal?.aborted === true) onAbort()
    // git may end without reading all of its input
    child.stdin.on('error', () => undefined)
    child.stdin.end(run.input ?? '')
  })
