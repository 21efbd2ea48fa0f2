/** Transfers files to and from a real S3 server, with faults of the network and of the service. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { portOf } from '../../../test/support/port-of.ts'
import { S3_BUCKET, S3_KEY, type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { listNames, openBucket, removeObject, type S3Settings } from './s3-bucket.ts'
import { downloadObject } from './s3-download.ts'
import { uploadFile } from './s3-upload.ts'

let folder = ''
let server: S3Server

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-s3-bucket-'))
  server = await startS3Server()
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const bucketOf = ({
  bucket = S3_BUCKET,
  signal = new AbortController().signal,
  now = Date.now,
  ...settings
}: Partial<S3Settings & { bucket: string; signal: AbortSignal; now: () => number }> = {}) =>
  openBucket(
    {
      endpoint: server.endpoint,
      region: 'us-east-1',
      sessionToken: undefined,
      ...S3_KEY,
      ...settings,
    },
    bucket,
    { signal, now, retryMs: 1 },
  )

const PART_BYTES = 100_000
const upload = async (bytes: Uint8Array, key = 'svc/a.db', bucket = bucketOf()) => {
  const file = join(folder, 'source')
  writeFileSync(file, bytes)
  const handle = await open(file)
  try {
    return await uploadFile(bucket, key, handle, { partBytes: PART_BYTES })
  } finally {
    await handle.close()
  }
}

test.each([
  [1, 1],
  [PART_BYTES, 1],
  [PART_BYTES + 1, 2],
  [3 * PART_BYTES, 3],
])('%i bytes are sent in %i parts and come back as they were', async (size, parts) => {
  const bytes = randomBytes(size)
  expect(await upload(bytes)).toBe(size)
  expect(server.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(parts)
  expect(server.requests.filter((line) => line.startsWith('GET'))).toEqual([])
  const file = join(folder, 'copy')
  expect(await downloadObject(bucketOf(), 'svc/a.db', file)).toBe(size)
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([10, PART_BYTES + 1])(
  '%i bytes that changed on their way are no backup',
  async (size) => {
    server.faults.push({ at: /^PUT/, does: 'corrupt' })
    await expect(upload(randomBytes(size))).rejects.toMatchObject({ code: 'backup_not_verified' })
    expect(await listNames(bucketOf(), 'svc/')).toEqual([])
  },
)

test.each([10, PART_BYTES + 1])(
  '%i bytes under an encryption that hides their MD5 are read back',
  async (size) => {
    server.faults.push({ at: /^PUT/, does: 'hide' })
    expect(await upload(randomBytes(size))).toBe(size)
    expect(server.requests.filter((line) => line.startsWith('GET'))).toHaveLength(1)
  },
)

test.each(['reset', 'status'] as const)('a %s that passes is tried again', async (does) => {
  server.faults.push({ at: /partNumber=2/, does, times: 2 })
  expect(await upload(randomBytes(2 * PART_BYTES))).toBe(2 * PART_BYTES)
})

test.each([
  ['reset', 'backup_place_unreachable'],
  ['status', 'backup_place_failed'],
  ['deny', 'backup_denied'],
] as const)('a %s that stays leaves no backup: %s', async (does, code) => {
  server.faults.push({ at: /partNumber=2/, does })
  await expect(upload(randomBytes(2 * PART_BYTES))).rejects.toMatchObject({ code })
  expect(server.requests.some((line) => /^DELETE .*uploadId=/.test(line))).toBe(true)
  expect(await listNames(bucketOf(), 'svc/')).toEqual([])
})

test('a completion that fails behind its status leaves no backup', async () => {
  server.faults.push({ at: /^POST .*uploadId=/, does: 'late' })
  await expect(upload(randomBytes(2 * PART_BYTES))).rejects.toMatchObject({
    code: 'backup_place_failed',
  })
  expect(await listNames(bucketOf(), 'svc/')).toEqual([])
})

test('a signal ends an upload that hangs, and nothing counts', async () => {
  server.faults.push({ at: /partNumber=2/, does: 'hang' })
  const abort = new AbortController()
  const uploading = upload(
    randomBytes(2 * PART_BYTES),
    'svc/a.db',
    bucketOf({ signal: abort.signal }),
  )
  const failed = expect(uploading).rejects.toMatchObject({ code: 'backup_stopped' })
  await expect.poll(() => server.requests.some((line) => line.includes('partNumber=2'))).toBe(true)
  abort.abort()
  await failed
  expect(await listNames(bucketOf(), 'svc/')).toEqual([])
})

test('a download that ends early is refused', async () => {
  await upload(randomBytes(PART_BYTES))
  server.faults.push({ at: /^GET/, does: 'halve' })
  await expect(downloadObject(bucketOf(), 'svc/a.db', join(folder, 'copy'))).rejects.toMatchObject({
    code: 'backup_place_unreachable',
  })
})

test('names are listed without deeper folders, and removed', async () => {
  for (const name of ['a.db', 'b.db', 'c.db', 'deep/d.db', 'e.db']) {
    await upload(randomBytes(1), `svc/${name}`)
  }
  await upload(randomBytes(1), 'svc-other/a.db')
  expect(await listNames(bucketOf(), 'svc/')).toEqual(['a.db', 'b.db', 'c.db', 'e.db'])
  await removeObject(bucketOf(), 'svc/b.db')
  await removeObject(bucketOf(), 'svc/b.db')
  expect(await listNames(bucketOf(), 'svc/')).toEqual(['a.db', 'c.db', 'e.db'])
})

test('names are listed over pages', async () => {
  // a substitute for s3rver, whose continuation tokens use DES, which OpenSSL no longer has
  const queries: URLSearchParams[] = []
  const pages = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://s3').searchParams
    queries.push(query)
    const [key, rest] = query.has('continuation-token')
      ? ['b.db', '<IsTruncated>false</IsTruncated>']
      : [
          'a.db',
          '<IsTruncated>true</IsTruncated><NextContinuationToken>t+/=</NextContinuationToken>',
        ]
    response.end(`<R>${rest}<Contents><Key>svc/${key}</Key></Contents></R>`)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const port = portOf(pages)
  const bucket = bucketOf({ endpoint: `http://127.0.0.1:${port}` })
  expect(await listNames(bucket, 'svc/')).toEqual(['a.db', 'b.db'])
  expect(queries.map((query) => query.get('continuation-token'))).toEqual([null, 't+/='])
  expect(queries.map((query) => query.get('prefix'))).toEqual(['svc/', 'svc/'])
  pages.close()
})

const HOUR_MS = 3_600_000

test.each([
  [
    'another bucket',
    { bucket: 'missing' },
    'backup_no_bucket',
    'There is no bucket missing at http',
  ],
  ['an unknown key', { accessKeyId: 'OTHER' }, 'backup_bad_key', 'InvalidAccessKeyId'],
  [
    'a wrong secret',
    { secretAccessKey: 'wrong-secret' },
    'backup_bad_key',
    'SignatureDoesNotMatch',
  ],
  [
    'a slow clock',
    { now: () => Date.now() - HOUR_MS },
    'backup_clock_skew',
    'by 60 min \\(slow\\)',
  ],
  [
    'a fast clock',
    { now: () => Date.now() + HOUR_MS },
    'backup_clock_skew',
    'by 60 min \\(fast\\)',
  ],
  ['nothing', { endpoint: 'http://127.0.0.1:59999' }, 'backup_place_unreachable', 'ECONNREFUSED'],
  ['no host', { endpoint: 'http://s3.invalid' }, 'backup_place_unreachable', /ENOTFOUND|EAI_AGAIN/],
])('%s is refused with its remedy', async (_title, settings, code, sentence) => {
  const refused = listNames(bucketOf(settings), 'svc/').catch((error: unknown) => error)
  const error = await refused
  expect(error).toMatchObject({ code, message: expect.stringMatching(sentence) })
  expect(String(error)).not.toContain('wrong-secret')
})

test('a missing backup is not found', async () => {
  const file = join(folder, 'copy')
  await expect(downloadObject(bucketOf(), 'svc/none.db', file)).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect(existsSync(file)).toBe(false)
})
