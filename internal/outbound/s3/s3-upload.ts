/**
 * Uploads a file to a bucket: in one request, or in parts if it is larger than one part.
 *
 * It guarantees: at most one part is in memory; the object appears at once and whole, or not at all; it has been verified
 * when the call returns, and an object that could not be verified is removed again. Each request is signed with the SHA-256
 * of its part, which services check. The MD5 of the part is compared with the ETag in the response. If the ETag is not an
 * MD5, because the service encrypts, the whole object is read back.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { completionOf, elementOf } from '#core/backup/s3-document.ts'
import { MIB } from '#core/byte-units.ts'
import { AppError } from '#core/error.ts'
import { removeObject, type S3Bucket } from './s3-bucket.ts'
import { hashObject, SHA256_HEADER } from './s3-download.ts'
import { s3Refused } from './s3-fault.ts'

/** Services require parts of at least 5 MiB, and at most 10,000 of them. A file of more than 78 GiB gets larger parts. */
const PART_BYTES = 8 * MIB
const MAX_PARTS = 10_000

export type UploadOptions = Readonly<{
  /** The minimum size of a part. @default 8 MiB */
  partBytes?: number
}>

type Source = Readonly<{ handle: FileHandle; bytes: number; partBytes: number }>

type Part = Readonly<{ body: Uint8Array<ArrayBuffer>; sha256: string; md5: string }>

const hashOf = (algorithm: 'sha256' | 'md5', data: Uint8Array): string =>
  createHash(algorithm).update(data).digest('hex')

/** Reads the file part by part into one buffer, which the next part overwrites. */
async function* partsOf({
  handle,
  bytes,
  partBytes,
}: Source): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(Math.min(partBytes, Math.max(bytes, 1)))
  for (let at = 0; at < bytes; ) {
    const wanted = Math.min(buffer.length, bytes - at)
    let got = 0
    while (got < wanted) {
      const { bytesRead } = await handle.read(buffer, got, wanted - got, at + got)
      if (bytesRead === 0) throw new Error('The file has become shorter while it was read.')
      got += bytesRead
    }
    yield buffer.subarray(0, wanted)
    at += wanted
  }
}

const describe = (body: Uint8Array<ArrayBuffer>): Part => ({
  body,
  sha256: hashOf('sha256', body),
  md5: hashOf('md5', body),
})

const hashFile = async (source: Source): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of partsOf(source)) hash.update(part)
  return hash.digest('hex')
}

type Sent = Readonly<{ etag: string; hasMd5: boolean }>

/** Sends a part, or the whole object if there is no query. */
const sendPart = async (
  { send }: S3Bucket,
  key: string,
  { body, sha256, md5 }: Part,
  {
    query = {},
    headers = {},
  }: Readonly<{
    query?: Readonly<Record<string, string>>
    headers?: Readonly<Record<string, string>>
  }>,
): Promise<Sent> => {
  const all = {
    ...headers,
    'x-amz-content-sha256': sha256,
    // buckets with object lock refuse requests without it
    'content-md5': Buffer.from(md5, 'hex').toString('base64'),
  }
  const answer = await send({ method: 'PUT', key, query, headers: all, body })
  await answer.body?.cancel()
  const etag = answer.headers.get('etag') ?? ''
  return { etag, hasMd5: etag.replaceAll('"', '').toLowerCase() === md5 }
}

/** @returns whether the MD5 of every part was compared */
const sendInParts = async (
  bucket: S3Bucket,
  key: string,
  source: Source,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> => {
  const begun = await bucket.send({ method: 'POST', key, query: { uploads: '' }, headers })
  const uploadId = elementOf(await begun.text(), 'UploadId')
  if (uploadId === null) throw notUnderstood(bucket, key)
  try {
    const sent: Sent[] = []
    for await (const body of partsOf(source)) {
      const query = { partNumber: String(sent.length + 1), uploadId }
      sent.push(await sendPart(bucket, key, describe(body), { query }))
    }
    const done = await bucket.send({
      method: 'POST',
      key,
      query: { uploadId },
      body: completionOf(sent.map(({ etag }) => etag)),
    })
    await requireCompletion(bucket, key, done)
    return sent.every(({ hasMd5 }) => hasMd5)
  } catch (error) {
    // the parts are useless and cost money; if the service cannot drop them now, its own rules do so later
    await bucket
      .unstoppable()
      .send({ method: 'DELETE', key, query: { uploadId } })
      .catch(() => null)
    throw error
  }
}

const notUnderstood = ({ endpoint }: S3Bucket, key: string): AppError =>
  new AppError('bad_gateway', `${endpoint} began no upload of ${key}: is it an S3 service?`, {
    code: 'backup_place_failed',
  })

/**
 * Checks the body of a completion: its status is sent before the work is done, so the body
 * may be an error. `verify` checks the rest.
 */
const requireCompletion = async (
  { endpoint, bucket }: S3Bucket,
  key: string,
  answer: Response,
): Promise<void> => {
  const xml = await answer.text()
  if (elementOf(xml, 'Code') === null) return
  const what = `the completion of ${key}`
  const { status } = answer
  throw s3Refused({ endpoint, bucket, what, status, xml, theirClock: null, ourClock: 0 })
}

/** @throws {AppError} bad_gateway: the stored object differs from the file */
const verify = async (
  bucket: S3Bucket,
  key: string,
  { bytes, sha256, hasMd5 }: Readonly<{ bytes: number; sha256: string; hasMd5: boolean }>,
): Promise<void> => {
  const { headers } = await bucket.send({ method: 'HEAD', key })
  const isWhole = Number(headers.get('content-length')) === bytes
  const isMarked = headers.get(SHA256_HEADER) === sha256
  const isEqual = hasMd5 || (isWhole && (await hashObject(bucket, key)) === sha256)
  if (isWhole && isMarked && isEqual) return
  throw new AppError(
    'bad_gateway',
    `${bucket.endpoint} keeps ${key} differently from what was sent. It was removed; try again.`,
    { code: 'backup_not_verified' },
  )
}

/**
 * Uploads the file of an open handle and verifies the object.
 * @returns its size in bytes
 * @throws {AppError} the service refuses, is unreachable, or stores other content; then the object does not exist
 */
export const uploadFile = async (
  bucket: S3Bucket,
  key: string,
  handle: FileHandle,
  { partBytes: leastBytes = PART_BYTES }: UploadOptions = {},
): Promise<number> => {
  const { size: bytes } = await handle.stat()
  const partBytes = Math.max(leastBytes, Math.ceil(bytes / MAX_PARTS))
  const source = { handle, bytes, partBytes }
  const sha256 = await hashFile(source)
  const headers = { [SHA256_HEADER]: sha256, 'content-type': 'application/vnd.sqlite3' }
  try {
    const hasMd5 =
      bytes > partBytes
        ? await sendInParts(bucket, key, source, headers)
        : await sendWhole(bucket, key, source, headers)
    await verify(bucket, key, { bytes, sha256, hasMd5 })
    return bytes
  } catch (error) {
    // an unverified object must not count as a backup; the first error is more useful than one of the removal
    await removeObject(bucket.unstoppable(), key).catch(() => null)
    throw error
  }
}

const sendWhole = async (
  bucket: S3Bucket,
  key: string,
  source: Source,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> => {
  let hasMd5 = false
  for await (const body of partsOf(source)) {
    hasMd5 = (await sendPart(bucket, key, describe(body), { headers })).hasMd5
  }
  return hasMd5
}
