/**
 * Splits a guest's stdout into frames and the raw output between them, chunk by chunk, and only as
 * far as the caller allows. It holds unread bytes and at most one frame of `limit` bytes in memory,
 * never copies raw output, and never throws for anything that a guest writes.
 */
import { Buffer } from 'node:buffer'
import { FRAME_KINDS, FRAME_MARK, type FrameKind } from '../protocol/messages.ts'

export type Frame = Readonly<{ kind: FrameKind; run: number; payload: string }>

export type FrameEvents = Readonly<{
  onFrame: (frame: Frame) => void
  /** Bytes outside frames, which user code wrote to stdout. */
  onRaw: (bytes: Buffer) => void
  /** Called when a frame exceeds `limit` or is malformed. The process must not be trusted any more. */
  onBadFrame: (reason: 'too_large' | 'malformed') => void
}>

export interface FrameParser {
  /** Adds bytes without reading them. */
  push(chunk: Buffer): void
  /**
   * Continues to read. @param mayGoOn called before each frame and each piece of output
   * @returns true if there is more to read
   */
  read(mayGoOn: () => boolean): boolean
  /** Drops unread bytes and all further ones. */
  discard(): void
  /** Sets the maximum size of a frame. */
  setLimit(bytes: number): void
}

const LINE_FEED = 0x0a
const SPACE = 0x20
const EMPTY = Buffer.alloc(0)
/** The number of a run has at most 15 digits, so it stays an exact integer. */
const MAX_HEAD_BYTES = 17
const KINDS: ReadonlySet<string> = new Set(Object.values(FRAME_KINDS))

const isKind = (text: string): text is FrameKind => KINDS.has(text)

/** How many bytes at the end of `bytes` may be the beginning of a marker. */
const partialMarkerLength = (bytes: Buffer, marker: Buffer): number => {
  const first = marker[0] ?? 0
  const from = Math.max(0, bytes.length - marker.length + 1)
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (bytes.compare(marker, 0, bytes.length - at, at) === 0) return bytes.length - at
  }
  return 0
}

/** Null if the bytes between the marker and the line feed are not a valid frame. */
const readFrame = (bytes: Buffer): Frame | null => {
  const space = bytes.indexOf(SPACE)
  if (space < 2 || space > MAX_HEAD_BYTES) return null
  const kind = bytes.toString('latin1', 0, 1)
  const run = Number(bytes.toString('latin1', 1, space))
  if (!isKind(kind) || !Number.isSafeInteger(run) || run < 0) return null
  return { kind, run, payload: bytes.toString('utf8', space + 1) }
}

/** @param word the random word of this process (see protocol/messages.ts) */
export const createFrameParser = (word: string, events: FrameEvents): FrameParser => {
  const marker = Buffer.from(FRAME_MARK + word)
  let limit = 64 * 1024
  /** Outside a frame: the last bytes of the previous chunk, if they may begin a marker. */
  let tail: Buffer = EMPTY
  /** The frame that is being read, null outside one. It grows by doubling, because a guest may send it byte by byte. */
  let body: Buffer | null = null
  let bodyBytes = 0
  let broken = false
  /** Bytes that are not read yet, from `at` on. */
  let pending: Buffer = EMPTY
  let at = 0

  const discard = (): void => {
    broken = true
    body = null
    pending = EMPTY
    tail = EMPTY
    at = 0
  }

  const fail = (reason: 'too_large' | 'malformed'): void => {
    discard()
    events.onBadFrame(reason)
  }

  const append = (before: Buffer, bytes: Buffer): Buffer => {
    const needed = bodyBytes + bytes.length
    const room = needed <= before.length ? before : Buffer.allocUnsafeSlow(needed * 2)
    if (room !== before) before.copy(room, 0, 0, bodyBytes)
    bytes.copy(room, bodyBytes)
    bodyBytes = needed
    return room
  }

  /** Reads up to the end of the frame that `bytes` continues. Returns where the rest begins. */
  const readBody = (bytes: Buffer, from: number, before: Buffer): number => {
    const end = bytes.indexOf(LINE_FEED, from)
    const part = bytes.subarray(from, end === -1 ? bytes.length : end)
    if (bodyBytes + part.length > limit) {
      fail('too_large')
      return bytes.length
    }
    if (end === -1) {
      body = append(before, part)
      return bytes.length
    }
    const whole = bodyBytes === 0 ? part : append(before, part).subarray(0, bodyBytes)
    body = null
    const frame = readFrame(whole)
    if (frame === null) fail('malformed')
    else events.onFrame(frame)
    return end + 1
  }

  /** Reads raw output up to the next marker. Returns where the head of the frame begins. */
  const readRaw = (bytes: Buffer, from: number): number => {
    const start = bytes.indexOf(marker, from)
    if (start === -1) {
      const rest = bytes.subarray(from)
      const kept = partialMarkerLength(rest, marker)
      if (rest.length > kept) events.onRaw(rest.subarray(0, rest.length - kept))
      tail = Buffer.from(rest.subarray(rest.length - kept))
      return bytes.length
    }
    if (start > from) events.onRaw(bytes.subarray(from, start))
    body = EMPTY
    bodyBytes = 0
    return start + marker.length
  }

  const push = (chunk: Buffer): void => {
    if (broken) return
    const before = at === 0 ? pending : pending.subarray(at)
    const parts = [before, tail, chunk].filter((part) => part.length > 0)
    pending = parts.length === 1 ? (parts[0] ?? EMPTY) : Buffer.concat(parts)
    tail = EMPTY
    at = 0
  }

  const read = (mayGoOn: () => boolean): boolean => {
    while (at < pending.length && mayGoOn()) {
      const bytes = pending
      const next = body === null ? readRaw(bytes, at) : readBody(bytes, at, body)
      // a listener of the frame may have discarded the rest
      if (broken) return false
      at = next
    }
    if (at < pending.length) return true
    pending = EMPTY
    at = 0
    return false
  }

  return {
    push,
    read,
    discard,
    setLimit: (bytes) => {
      limit = bytes
    },
  }
}
