/** Reads the output of a guest: frames, raw output, and how it ended. */
import { Buffer } from 'node:buffer'
import type { Child } from '../linux/process-kill.ts'
import { FRAME_KINDS } from '../protocol/messages.ts'
import { createFrameParser, type FrameEvents } from './frame-parser.ts'
import { guestTurns } from './read-turns.ts'

export type ExitReport = Readonly<{
  code: number | null
  signal: string | null
  /** The error if the process could not be started at all. */
  startError: Error | null
  /** The end of its raw output, which contains the runtime's last message. */
  outputTail: string
  /** Whether the kernel killed it because of its memory. */
  isOutOfMemory: boolean
}>

/** `onRaw` also gets what the guest wrote to stderr. */
export type GuestListener = FrameEvents &
  Readonly<{
    /** Called when the process ends, or at once if it has already ended. */
    onEnd: (exit: ExitReport) => void
  }>

const TAIL_BYTES = 4_096

const keepTail = (before: Buffer, bytes: Buffer): Buffer =>
  Buffer.concat([before, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)

export interface GuestReader {
  /** Resolved when the guest waits for its first run. */
  readonly ready: PromiseWithResolvers<void>
  setFrameLimit(bytes: number): void
  /** Returns the end of the raw output. */
  tail(): string
  /**
   * Stops reading until the returned function is called. The pipe is not read either, so
   * a guest that continues to write blocks. Several holds may overlap.
   */
  hold(): () => void
  /** Ends the effect of holds: the process has ended, and what it wrote before must be read. */
  ignoreHolds(): void
  /** Drops what was not read yet, and all further output. */
  discard(): void
  /** Resolves when everything that arrived has been read. */
  drained(): Promise<void>
}

type ReaderOptions = Readonly<{
  word: string
  kill: () => void
  listener: () => GuestListener | null
}>

const createParser = (ready: PromiseWithResolvers<void>, options: ReaderOptions) => {
  const { word, kill, listener } = options
  let tail: Buffer = Buffer.alloc(0)
  const parser = createFrameParser(word, {
    onFrame: (frame) => {
      if (frame.kind === FRAME_KINDS.ready) ready.resolve()
      else listener()?.onFrame(frame)
    },
    onRaw: (bytes) => {
      tail = keepTail(tail, bytes)
      listener()?.onRaw(bytes)
    },
    onBadFrame: (reason) => {
      const to = listener()
      if (to === null) kill()
      else to.onBadFrame(reason)
    },
  })
  return { parser, tail: () => tail.toString('utf8') }
}

/** Reads frames and raw output of a guest in turns with all other guests, and keeps the end of its output. */
export const readOutput = (child: Child, options: ReaderOptions): GuestReader => {
  const ready = Promise.withResolvers<void>()
  const { parser, tail } = createParser(ready, options)
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

  // a guest that died leaves its pipes broken; the process reports its end, not the pipes
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
    tail,
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
