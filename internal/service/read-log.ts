/** Reads a job's output as bytes: all of it, or a tail that does not begin in the middle of a character. */
import type { Database } from '#store/database.ts'
import { listLogChunks, listLogTail } from '#store/jobs/log.ts'

const concat = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Returns the last bytes. UTF-8 continuation bytes are 10xxxxxx, so the tail begins at the first byte that is not one. */
const tailOf = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> => {
  let start = Math.max(bytes.length - length, 0)
  if (start === 0) return bytes
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start)
}

/** Reads the output. @param tailBytes null for everything */
export const readLog = async (
  db: Database,
  jobId: string,
  tailBytes: number | null,
): Promise<Uint8Array<ArrayBuffer>> => {
  if (tailBytes === null) return concat((await listLogChunks(db, jobId)).map(({ bytes }) => bytes))
  return tailOf(concat(await listLogTail(db, jobId, tailBytes)), tailBytes)
}
