/**
 * Collects a job's output and writes it in chunks: the log of a short job is part of the write that ends it; that of a
 * long job is written every 500 ms, so that followers see it grow.
 */

import { createLogParts } from '#core/job/log-parts.ts'
import type { LogStream } from '#core/job/log-stream.ts'
import { joinBytes } from '#core/join-bytes.ts'
import type { Statement } from '#store/database.ts'
import type { Claim } from '#store/jobs/lease.ts'
import { insertLogChunk } from '#store/jobs/log.ts'

const FLUSH_MS = 500
/** A chunk is larger only if a single text is. */
const MAX_CHUNK_BYTES = 65_536

export type JobLogOptions = Readonly<{
  claim: Claim
  /** Milliseconds since 1970. */
  now: () => number
  /** Writes chunks while the job runs. A failure does not fail the job; the chunks go with the next write. */
  write: (statements: readonly Statement[]) => Promise<unknown>
  onWritten: () => void
}>

export interface JobLog {
  append(text: string, stream: LogStream): void
  /** Ends the log and returns the statements for what is not written yet. */
  finish(): Promise<readonly Statement[]>
}

const encoder = new TextEncoder()

/** Creates the log of one attempt. */
export const createJobLog = ({ claim, now, write, onWritten }: JobLogOptions): JobLog => {
  const parts = createLogParts()
  let pieces: Uint8Array[] = []
  let length = 0
  let seq = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  let unwritten: Statement[] = []
  let writing: Promise<void> = Promise.resolve()

  const take = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (length === 0) return
    const bytes = joinBytes(pieces)
    pieces = []
    length = 0
    unwritten.push(insertLogChunk({ claim, seq, bytes, parts: parts.take() }))
    seq += 1
  }

  const flush = async (): Promise<void> => {
    const statements = unwritten
    if (statements.length === 0) return
    unwritten = []
    try {
      await write(statements)
      onWritten()
    } catch {
      // the chunks go with the next write; inserting one twice is a no-op
      unwritten = [...statements, ...unwritten]
    }
  }

  /** Output that collects while another write is in progress is one chunk. */
  const flushLater = (): void => {
    writing = writing.then(() => {
      take()
      return flush()
    })
  }
  /** A full chunk is closed at once, because readers hold whole chunks in memory, and a slow write would let it grow. */
  const flushFull = (): void => {
    take()
    writing = writing.then(flush)
  }

  return {
    append: (text, stream) => {
      if (text.length === 0) return
      const bytes = encoder.encode(text)
      if (length > 0 && length + bytes.length > MAX_CHUNK_BYTES) flushFull()
      parts.add({ at: now(), stream, bytes: bytes.length })
      pieces.push(bytes)
      length += bytes.length
      if (length >= MAX_CHUNK_BYTES) flushFull()
      else timer ??= setTimeout(flushLater, FLUSH_MS)
    },
    finish: async () => {
      take()
      await writing
      return unwritten
    },
  }
}
