/**
 * The pieces of one chunk of a log, as one list of numbers: the time of the first in milliseconds since 1970, then for each piece
 * the milliseconds since the piece before it, the index of its stream in LOG_STREAMS and its length in bytes.
 */
import { z } from 'zod'
import { LOG_STREAMS, type LogStream } from './log-stream.ts'

export type LogPart = Readonly<{ at: number; stream: LogStream; bytes: number }>

/** The most pieces of a chunk. Further text is added to the last piece, so that the list stays smaller than the text. */
const MOST_PARTS = 4_096

export interface LogParts {
  add(part: LogPart): void
  /** @returns the list as JSON */
  take(): string
}

/** Collects pieces. Text of the same stream in the same millisecond is one piece. */
export const createLogParts = (): LogParts => {
  let parts: LogPart[] = []
  return {
    add: (part) => {
      const last = parts.at(-1)
      const isSame = last?.at === part.at && last.stream === part.stream
      if (last !== undefined && (isSame || parts.length >= MOST_PARTS)) {
        parts[parts.length - 1] = { ...last, bytes: last.bytes + part.bytes }
      } else parts.push(part)
    },
    take: () => {
      const [first] = parts
      let before = first?.at ?? 0
      const numbers = [before]
      for (const { at, stream, bytes } of parts) {
        numbers.push(at - before, LOG_STREAMS.indexOf(stream), bytes)
        before = at
      }
      parts = []
      return JSON.stringify(numbers)
    },
  }
}

const numberList = z.array(z.int())

/** @throws {Error} the text is not such a list */
export const readLogParts = (text: string): readonly LogPart[] => {
  const [first = 0, ...rest] = numberList.parse(JSON.parse(text))
  const parts: LogPart[] = []
  let at = first
  for (let index = 0; index + 2 < rest.length; index += 3) {
    const [afterMs = 0, stream = 0, bytes = 0] = rest.slice(index, index + 3)
    at += afterMs
    parts.push({ at, stream: LOG_STREAMS[stream] ?? 'stdout', bytes })
  }
  return parts
}
