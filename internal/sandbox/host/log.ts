/** The output of one job on its way to the log: decoded, with the author's source places in stack traces, and cut at the limit. */
import { Buffer } from 'node:buffer'
import type { LogStream } from '#core/job/log-stream.ts'
import { parseText } from '../protocol/frame-text.ts'
import type { StackTraceMapper } from './stack-trace.ts'

export interface JobLog {
  text(text: string, stream: LogStream): void
  /** Takes the payload of a frame, a JSON text. @throws {Error} it is not a text */
  frame(payload: string, stream: LogStream): void
  /** Takes raw bytes of the guest. A character may be spread over several calls. */
  bytes(bytes: Buffer): void
  /** Call it after the last output. An incomplete character at the end is written as a replacement character. */
  end(): void
  /** Bytes that were dropped because the log was full, and the overhead of frames. */
  dropped(): number
}

export type JobLogOptions = Readonly<{
  limitBytes: number
  mapStackTrace: StackTraceMapper
  onLog: (text: string, stream: LogStream) => void
}>

/** The overhead of a frame in bytes, so that a flood of empty frames is slowed too. */
const FRAME_BYTES = 64

const LIMIT_MARK = '\n[svc] The log limit is reached; further output is dropped.\n'

/** The first `bytes` bytes, without a partial character at the end. */
const cut = (text: string, bytes: number): string => {
  const buffer = Buffer.from(text)
  let end = bytes
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return buffer.toString('utf8', 0, end)
}

/** Collects the log of one job up to its limit in bytes, and maps its stack traces to sources. */
export const createJobLog = ({ limitBytes, mapStackTrace, onLog }: JobLogOptions): JobLog => {
  /** Null until the guest writes raw bytes, which few guests do. */
  let decoder: InstanceType<typeof TextDecoder> | null = null
  /** Negative once the limit mark is written. */
  let left = limitBytes
  let droppedBytes = 0

  const text = (raw: string, stream: LogStream): void => {
    if (raw === '') return
    if (left < 0) {
      droppedBytes += raw.length
      return
    }
    const mapped = mapStackTrace(raw)
    const size = Buffer.byteLength(mapped)
    if (size <= left) {
      left -= size
      onLog(mapped, stream)
      return
    }
    droppedBytes += size - left
    onLog(cut(mapped, left) + LIMIT_MARK, stream)
    left = -1
  }

  return {
    text,
    frame: (payload, stream) => {
      // each frame costs work, even an empty one
      droppedBytes += FRAME_BYTES
      if (left < 0) droppedBytes += payload.length
      else text(parseText(payload), stream)
    },
    bytes: (bytes) => {
      if (left < 0) {
        droppedBytes += bytes.length
        return
      }
      decoder ??= new TextDecoder()
      text(decoder.decode(bytes, { stream: true }), 'stdout')
    },
    end: () => {
      if (left >= 0 && decoder !== null) text(decoder.decode(), 'stdout')
    },
    dropped: () => droppedBytes,
  }
}
