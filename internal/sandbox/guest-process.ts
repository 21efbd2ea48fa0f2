/**
 * One guest process from outside: started with an empty environment, spoken to by frames, killed without asking. Nothing
 * it does can throw here: a broken pipe or a failed start is an exit like any other.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFrameParser, encodeMessage, type FrameKind } from './protocol.ts'

export type GuestCommand = Readonly<{
  command: string
  args: readonly string[]
  /** Only what the runtime itself needs; `home` is added as HOME and the runtime's cache folder. */
  env: Readonly<Record<string, string>>
  /** Null: the worker's own. */
  user: Readonly<{ uid: number; gid: number }> | null
}>

export type GuestListener = Readonly<{
  onFrame: (kind: FrameKind, body: string) => void
  onOutput: (text: string) => void
  onOversize: () => void
}>

export interface GuestProcess {
  readonly pid: number
  readonly isAlive: boolean
  /** Resolves at the first frame; rejects when the process ends before. */
  readonly ready: Promise<void>
  /** Resolves with how it ended, once the operating system has said so. */
  readonly exited: Promise<GuestExit>
  send(text: string): void
  listen(listener: GuestListener | null): void
  kill(): void
}

export type GuestExit = Readonly<{ code: number | null; signal: string | null; lastWords: string }>

/** A frame larger than any result limit allows for. */
const MAX_FRAME_LENGTH = 64 * 1_024 * 1_024
/** What is kept of stderr to tell why a process died. */
const LAST_WORDS_LENGTH = 4_096

const makeHome = (user: GuestCommand['user']): string => {
  const home = mkdtempSync(join(tmpdir(), 'svc-guest-'))
  if (user !== null) chownSync(home, user.uid, user.gid)
  return home
}

const start = ({ command, args, env, user }: GuestCommand, home: string): ChildProcess =>
  spawn(command, args, {
    cwd: home,
    env: { ...env, HOME: home, TMPDIR: home, DENO_DIR: home },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  })

export const startGuest = (command: GuestCommand): GuestProcess => {
  const home = makeHome(command.user)
  const child = start(command, home)
  const nonce = randomBytes(12).toString('hex')
  let listener: GuestListener | null = null
  let lastWords = ''
  let isAlive = true
  let onReady: () => void = () => undefined
  let onEarlyExit: (error: Error) => void = () => undefined
  const ready = new Promise<void>((resolve, reject) => {
    onReady = resolve
    onEarlyExit = reject
  })
  // a pre-started process may die before anybody asks for it
  ready.catch(() => undefined)

  const parse = createFrameParser(nonce, MAX_FRAME_LENGTH, {
    onFrame: (kind, body) => {
      if (kind === 'Y') onReady()
      else listener?.onFrame(kind, body)
    },
    onOutput: (text) => listener?.onOutput(text),
    onOversize: () => listener?.onOversize(),
  })
  child.stdout?.setEncoding('utf8').on('data', parse)
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS_LENGTH)
    listener?.onOutput(text)
  })
  // the pipe of a process that is gone; its exit tells
  child.stdin?.on('error', () => undefined)

  const exited = new Promise<GuestExit>((resolve) => {
    const end = (code: number | null, signal: string | null): void => {
      if (!isAlive) return
      isAlive = false
      rmSync(home, { recursive: true, force: true })
      onEarlyExit(new Error(`The guest process ended before it was ready: ${lastWords.trim()}`))
      resolve({ code, signal, lastWords })
    }
    child.once('error', (error) => {
      lastWords += error.message
      end(null, null)
    })
    // `close`, not `exit`: by then all its output has come
    child.once('close', end)
  })

  child.stdin?.write(encodeMessage({ t: 'hello', nonce }))
  return {
    pid: child.pid ?? 0,
    get isAlive() {
      return isAlive
    },
    ready,
    exited,
    send: (text) => {
      if (isAlive) child.stdin?.write(text)
    },
    listen: (next) => {
      listener = next
    },
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}
