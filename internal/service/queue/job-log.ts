/**
 * Collects a job's output and writes it in chunks: the log of a short job is part of the write that ends it; that of a
 * long job is written every 500 ms, so that followers see it grow.
 */
import type { Statement } from '#store/database.ts'
import type { Claim } from '#store/jobs/lease.ts'
import { insertLogChunk } from '#store/jobs/log.ts'

const FLUSH_MS = 500
const MAX_CHUNK_BYTES = 65_536

export type JobLogOptions = Readonly<{
  claim: Claim
  /** Writes chunks while the job runs. A failure does not fail the job; the chunks go with the next write. */
  write: (statements: readonly Statement[]) => Promise<unknown>
  onWritten: () => void
}>

export interface JobLog {
  append(text: string): void
  /** Ends the log and returns the statements for what is not written yet. */
  finish(): Promise<readonly Statement[]>
}

/** Creates the log of one attempt. */
export const createJobLog = ({ claim, write, onWritten }: JobLogOptions): JobLog => {
  const encoder = new TextEncoder()
  let texts: string[] = []
  let length = 0
  let seq = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  let unwritten: Statement[] = []
  let writing: Promise<void> = Promise.resolve()

  const take = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (length === 0) return
    const bytes = encoder.encode(texts.join(''))
    texts = []
    length = 0
    unwritten.push(insertLogChunk({ claim, seq, bytes }))
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
    append: (text) => {
      if (text.length === 0) return
      texts.push(text)
      length += text.length
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
