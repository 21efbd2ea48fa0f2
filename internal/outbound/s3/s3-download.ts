/** Reads objects of a bucket in chunks, so that their size is not limited by memory. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#core/error.ts'
import type { S3Bucket } from './s3-bucket.ts'
import { s3Unreachable } from './s3-fault.ts'

/** The object's metadata with the hash of the file, against which a download is checked. */
export const SHA256_HEADER = 'x-amz-meta-sha256'

/** Disk errors name the system call; they also have a path unless the file was open already. */
const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && /^(open|write)$/.test(String(error.syscall))

type Piece = Readonly<{ sha256: string; bytes: number; headers: Headers }>

/** Reads the object to its end, into `file` if one is given. */
const readObject = async (bucket: S3Bucket, key: string, file: string | null): Promise<Piece> => {
  const { body, headers } = await bucket.send({ method: 'GET', key, isStreamed: true })
  const hash = createHash('sha256')
  let bytes = 0
  const count = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      bytes += chunk.length
      done(null, file === null ? undefined : chunk)
    },
  })
  const from = Readable.from(body ?? [])
  try {
    if (file === null) await pipeline(from, count.resume())
    else await pipeline(from, count, createWriteStream(file, { mode: 0o600 }))
  } catch (error) {
    throw isOfDisk(error) ? error : s3Unreachable(bucket.endpoint, `the rest of ${key}`, error)
  }
  return { sha256: hash.digest('hex'), bytes, headers }
}

/** Returns the SHA-256 of the content. */
export const hashObject = async (bucket: S3Bucket, key: string): Promise<string> =>
  (await readObject(bucket, key, null)).sha256

/**
 * Writes the object to a new file, which only its owner can read.
 * @throws {AppError} not_found; bad_gateway: the transfer ended early, or the content differs from what was uploaded
 */
export const downloadObject = async (
  bucket: S3Bucket,
  key: string,
  file: string,
): Promise<number> => {
  const { sha256, bytes, headers } = await readObject(bucket, key, file)
  const marked = headers.get(SHA256_HEADER)
  if (marked === null || marked === sha256) return bytes
  throw new AppError(
    'bad_gateway',
    `${bucket.endpoint} sent ${key} damaged: its SHA-256 is not that of the backup. Try again, or take another.`,
    { code: 'backup_not_verified' },
  )
}
