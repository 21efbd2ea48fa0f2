/**
 * One guest process as the host holds it: a pipe to write lines to, frames and raw output coming out, and its end. It
 * outlives no kill: the whole process group gets SIGKILL, and on Linux the kernel sends it when this process dies.
 *
 * Nothing here throws or rejects for what a guest does; every way of ending is one `ExitReport`.
 */
import { Buffer } from 'node:buffer'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync } from 'node:fs'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { createFrameParser, type Frame } from './frame-parser.ts'
import { makeGuestFolder, removeGuestFolder } from './guest-folder.ts'
import { FRAME_KINDS, helloLine } from './protocol.ts'

export type GuestCommand = Readonly<{
  command: string
  args: readonly string[]
  /** All of its environment: nothing is inherited. */
  env: Readonly<Record<string, string>>
  /** Null: whom this process runs as. */
  user: Readonly<{ uid: number; gid: number }> | null
}>

/** What a provider starts for one guest. `folder` is the guest's temporary folder, empty and its own. */
export type CommandFor = (folder: string) => GuestCommand

export type ExitReport = Readonly<{
  code: number | null
  signal: string | null
  /** The process could not be started at all. */
  startError: Error | null
  /** The end of its raw output; the runtime's own last words stand there. */
  lastWords: string
}>

export type GuestListener = Readonly<{
  onFrame: (frame: Frame) => void
  /** What the guest wrote to stdout or stderr by itself. */
  onRaw: (bytes: Buffer) => void
  onBadFrame: (reason: 'too_large' | 'malformed') => void
  /** Called at once when the process has ended before. */
  onEnd: (exit: ExitReport) => void
}>

export interface GuestProcess {
  /** Null when it could not be started. */
  readonly pid: number | null
  /** Its temporary folder; gone when it has ended. */
  readonly folder: string
  /** Resolves when the guest waits for its first run, or when it has ended before. */
  readonly ready: Promise<void>
  /** Resolves when it and its folder are gone. */
  readonly ended: Promise<ExitReport>
  /** True until the process has ended or was killed. */
  alive(): boolean
  /** Who hears of frames and output from now on; null: nobody, output is dropped. */
  listen(listener: GuestListener | null): void
  /** Bytes that one frame may have from now on. */
  setFrameLimit(bytes: number): void
  send(line: string): void
  /** Stops and starts reading what the guest writes; a guest that is not read blocks. */
  pause(): void
  resume(): void
  kill(): void
}

type Child = ChildProcessByStdio<Writable, Readable, null>

const LAST_WORDS_BYTES = 4_096
/** How long the pipes may stay open after the guest has died. */
const PIPE_GRACE_MS = 500

const spawnGuest = (folder: string, { command, args, env, user }: GuestCommand): Child => {
  if (user !== null) chownSync(folder, user.uid, user.gid)
  return spawn(command, args, {
    env,
    cwd: folder,
    // the command itself sends stderr to stdout: what a job writes to both stays in order
    stdio: ['pipe', 'pipe', 'ignore'],
    // a group of its own: a signal from the terminal must not end jobs that are to finish, and a kill takes all of it
    detached: true,
    ...(user ?? {}),
  })
}

const killGroup = (child: Child): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // the group is gone, or this platform has none
    child.kill('SIGKILL')
  }
}

const keepLastWords = (before: Buffer, bytes: Buffer): Buffer =>
  Buffer.concat([before, bytes.subarray(-LAST_WORDS_BYTES)]).subarray(-LAST_WORDS_BYTES)

/** Tells at once that the process has died, and once, when its pipes are read to their end too, how. */
const onEnd = (
  child: Child,
  {
    died,
    done,
  }: Readonly<{ died: () => void; done: (end: Omit<ExitReport, 'lastWords'>) => void }>,
): void => {
  let finished = false
  const finish = (end: Omit<ExitReport, 'lastWords'>): void => {
    if (finished) return
    finished = true
    done(end)
  }
  child.on('error', (error) => {
    if (child.pid === undefined) finish({ code: null, signal: null, startError: error })
  })
  child.on('close', (code, signal) => finish({ code, signal, startError: null }))
  // a grandchild may hold the pipes open after the guest itself has died
  child.on('exit', (code, signal) => {
    died()
    killGroup(child)
    setTimeout(() => finish({ code, signal, startError: null }), PIPE_GRACE_MS).unref()
  })
}

/** What the guest says: frames, raw output, and the last of it. */
const readOutput = (
  child: Child,
  { word, listener }: Readonly<{ word: string; listener: () => GuestListener | null }>,
) => {
  const ready = Promise.withResolvers<void>()
  let lastWords: Buffer = Buffer.alloc(0)
  const parser = createFrameParser(word, {
    onFrame: (frame) => {
      if (frame.kind === FRAME_KINDS.ready) ready.resolve()
      else listener()?.onFrame(frame)
    },
    onRaw: (bytes) => {
      lastWords = keepLastWords(lastWords, bytes)
      listener()?.onRaw(bytes)
    },
    onBadFrame: (reason) => {
      const to = listener()
      if (to === null) killGroup(child)
      else to.onBadFrame(reason)
    },
  })
  // a guest that died leaves its pipes broken: its end is reported by the process, not here
  for (const stream of [child.stdin, child.stdout]) stream.on('error', () => undefined)
  child.stdout.on('data', parser.push)
  return { ready, setFrameLimit: parser.setLimit, lastWords: () => lastWords.toString('utf8') }
}

/** The process, and the pipes that the operating system gave it. */
const openGuest = (folder: string, commandFor: CommandFor): Child => {
  try {
    return spawnGuest(folder, commandFor(folder))
  } catch (error) {
    void removeGuestFolder(folder)
    throw error
  }
}

/**
 * Starts a guest and tells it its frame word. Returns at once; the process starts meanwhile.
 * @throws {Error} the host is out of file descriptors or of room for temporary files
 */
export const startGuest = (commandFor: CommandFor): GuestProcess => {
  const word = randomBytes(16).toString('base64url')
  const folder = makeGuestFolder()
  const child = openGuest(folder, commandFor)
  const ended = Promise.withResolvers<ExitReport>()
  let listener: GuestListener | null = null
  let living = child.pid !== undefined
  let report: ExitReport | null = null

  onEnd(child, {
    died: () => {
      living = false
    },
    done: (end) => {
      const exit = { ...end, lastWords: output.lastWords() }
      report = exit
      output.ready.resolve()
      listener?.onEnd(exit)
      void removeGuestFolder(folder).then(() => ended.resolve(exit))
    },
  })
  const output = readOutput(child, { word, listener: () => listener })
  child.stdin.write(helloLine({ word, host: process.pid }))

  return {
    pid: child.pid ?? null,
    folder,
    ready: output.ready.promise,
    ended: ended.promise,
    alive: () => living,
    listen: (next) => {
      listener = next
      if (report !== null) next?.onEnd(report)
    },
    setFrameLimit: output.setFrameLimit,
    send: (line) => {
      if (living) child.stdin.write(line)
    },
    pause: () => child.stdout.pause(),
    resume: () => child.stdout.resume(),
    kill: () => {
      living = false
      killGroup(child)
      // what is not read does not end
      child.stdout.resume()
    },
  }
}
