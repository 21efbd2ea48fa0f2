/** What the host reads of a guest: frames, raw output, and how it ended. */
import { Buffer } from 'node:buffer'
import type { Child } from '../linux/process-kill.ts'
import { FRAME_KINDS } from '../protocol/messages.ts'
import { createFrameParser, type Frame } from './frame-parser.ts'
import { guestTurns } from './read-turns.ts'

export type ExitReport = Readonly<{
  code: number | null
  signal: string | null
  /** The process could not be started at all. */
  startError: Error | null
  /** The end of its raw output, which holds the runtime's last message. */
  lastWords: string
  /** The kernel ended it for the memory that it used. */
  isOutOfMemory: boolean
}>

export type GuestListener = Readonly<{
  onFrame: (frame: Frame) => void
  /** What the guest wrote to stdout or stderr by itself. */
  onRaw: (bytes: Buffer) => void
  onBadFrame: (reason: 'too_large' | 'malformed') => void
  /** Called at once when the process has ended before. */
  onEnd: (exit: ExitReport) => void
}>

const LAST_WORDS_BYTES = 4_096

const keepLastWords = (before: Buffer, bytes: Buffer): Buffer =>
  Buffer.concat([before, bytes.subarray(-LAST_WORDS_BYTES)]).subarray(-LAST_WORDS_BYTES)

export interface GuestReader {
  /** Settled when the guest waits for its first run. */
  readonly ready: PromiseWithResolvers<void>
  setFrameLimit(bytes: number): void
  lastWords(): string
  /**
   * Nothing more is read until the answer is called; nor is the pipe, so that the guest blocks when it writes on. Several
   * may hold at once.
   */
  hold(): () => void
  /** Holds count no more: the process has ended, and what it wrote before is to be read. */
  ignoreHolds(): void
  /** Drops what it wrote and did not come to be read, and whatever it writes from now on. */
  discard(): void
  /** Resolves when all that came is read. */
  drained(): Promise<void>
}

type ReaderOptions = Readonly<{
  word: string
  kill: () => void
  listener: () => GuestListener | null
}>

const createParser = (ready: PromiseWithResolvers<void>, options: ReaderOptions) => {
  const { word, kill, listener } = options
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
      if (to === null) kill()
      else to.onBadFrame(reason)
    },
  })
  return { parser, lastWords: () => lastWords.toString('utf8') }
}

/** Reads frames and raw output of a guest in turns with all other guests, and keeps the end of its output. */
export const readOutput = (child: Child, options: ReaderOptions): GuestReader => {
  const ready = Promise.withResolvers<void>()
  const { parser, lastWords } = createParser(ready, options)
  const { stdout } = child
  let holds = 0
  let isHoldable = true
  let hasMore = false
  let onDrained: (() => void) | null = null

  const isHeld = (): boolean => isHoldable && holds > 0

  const turn = (mayGoOn: () => boolean): boolean => {
    hasMore = parser.read(() => !isHeld() && mayGoOn())
    if (hasMore || isHeld()) stdout.pause()
    else {
      stdout.resume()
      onDrained?.()
    }
    return hasMore && !isHeld()
  }

  // a guest that died leaves its pipes broken: its end is reported by the process, not here
  for (const stream of [child.stdin, stdout]) stream.on('error', () => undefined)
  stdout.on('data', (chunk: Buffer) => {
    parser.push(chunk)
    hasMore = true
    guestTurns.request(turn)
    if (hasMore) stdout.pause()
  })

  return {
    ready,
    setFrameLimit: parser.setLimit,
    lastWords,
    hold: () => {
      holds += 1
      stdout.pause()
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        holds -= 1
        if (!isHeld()) guestTurns.request(turn)
      }
    },
    ignoreHolds: () => {
      isHoldable = false
      guestTurns.request(turn)
    },
    discard: () => {
      isHoldable = false
      parser.discard()
      guestTurns.request(turn)
    },
    drained: () =>
      new Promise((resolve) => {
        onDrained = resolve
        guestTurns.request(turn)
      }),
  }
}
