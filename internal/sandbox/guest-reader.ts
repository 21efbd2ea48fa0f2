/** What the host reads of a guest: frames, raw output, and how it ended. */
import { Buffer } from 'node:buffer'
import { createFrameParser, type Frame } from './frame-parser.ts'
import type { Child } from './process-kill.ts'
import { FRAME_KINDS } from './protocol.ts'

export type ExitReport = Readonly<{
  code: number | null
  signal: string | null
  /** The process could not be started at all. */
  startError: Error | null
  /** The end of its raw output; the runtime's own last words stand there. */
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

/** What the guest says: frames, raw output, and the last of it. */
export const readOutput = (
  child: Child,
  {
    word,
    kill,
    listener,
  }: Readonly<{ word: string; kill: () => void; listener: () => GuestListener | null }>,
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
      if (to === null) kill()
      else to.onBadFrame(reason)
    },
  })
  // a guest that died leaves its pipes broken: its end is reported by the process, not here
  for (const stream of [child.stdin, child.stdout]) stream.on('error', () => undefined)
  child.stdout.on('data', parser.push)
  return { ready, setFrameLimit: parser.setLimit, lastWords: () => lastWords.toString('utf8') }
}
