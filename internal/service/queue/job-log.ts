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
    take()
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

  const flushSoon = (): void => {
    writing = writing.then(flush)
  }

  return {
    append: (text, stream) => {
      if (text.length === 0) return
      const bytes = encoder.encode(text)
      parts.add({ at: now(), stream, bytes: bytes.length })
      pieces.push(bytes)
      length += bytes.length
      if (length >= MAX_CHUNK_BYTES) flushSoon()
      else timer ??= setTimeout(flushSoon, FLUSH_MS)
    },
    finish: async () => {
      take()
      await writing
      return unwritten
    },
  }
}
