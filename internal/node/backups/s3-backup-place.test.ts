/** Backups of a database to a real S3 server: which backups stay, which are removed, and what a failure leaves behind. */
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { parseS3Place } from '#core/backup/s3-place.ts'
import { checkDatabase } from '#store/maintenance/backup.ts'
import { migrate } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { S3_KEY, type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { fetchS3Backup, s3Place } from './s3-backup-place.ts'

const place = parseS3Place('s3://backups/svc') ?? expect.unreachable()
const NOW = Date.UTC(2026, 0, 31, 15)
const nameAt = (minute: number): string => `svc-2026-01-31T15-0${minute}-00-000Z.db`

let folder = ''
let path = ''
let server: S3Server

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-s3-place-'))
  path = join(folder, 'svc.db')
  server = await startS3Server()
  const db = await openDatabase({ url: `file:${path}` })
  await migrate(db)
  await db.close()
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const config = () =>
  loadConfig({
    env: {
      AWS_ENDPOINT_URL: server.endpoint,
      AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
    },
    flags: {},
  }).config
const open = () => s3Place(config(), place, new AbortController().signal)
const add = (minute: number, keep: number | null) =>
  open().add(path, { keep, now: NOW + minute * 60_000 })
const fetchAt = (minute: number | null) =>
  fetchS3Backup(config(), place, {
    at: minute === null ? null : NOW + minute * 60_000,
    file: join(folder, 'copy.db'),
  })

test('the newest backups stay, the others go, and each can be had whole', async () => {
  expect(await open().newest()).toBeNull()
  for (const minute of [1, 2, 3]) await add(minute, null)
  const { removed, removalFault } = await add(4, 2)
  expect([removed, removalFault]).toEqual([[nameAt(2), nameAt(1)], null])
  expect(await fetchAt(null)).toBe(`s3://backups/svc/${nameAt(4)}`)
  expect(await fetchAt(3)).toBe(`s3://backups/svc/${nameAt(3)}`)
  expect(checkDatabase(join(folder, 'copy.db'))).toBeGreaterThan(0)
  await expect(fetchAt(2)).rejects.toMatchObject({ kind: 'not_found' })
})

test('a failed upload removes no older backup and leaves no copy', async () => {
  await add(1, 1)
  server.faults.push({ at: /^PUT/, does: 'corrupt' })
  await expect(add(2, 1)).rejects.toMatchObject({ code: 'backup_not_verified' })
  expect((await open().newest())?.name).toBe(nameAt(1))
  expect(readdirSync(folder).filter((name) => name.includes('upload'))).toEqual([])
})

test('a key that may not delete makes backups all the same', async () => {
  await add(1, 1)
  server.faults.push({ at: /^DELETE/, does: 'deny' })
  const { removed, removalFault } = await add(2, 1)
  expect([removed, removalFault]).toEqual([[], expect.objectContaining({ code: 'backup_denied' })])
  expect((await open().newest())?.name).toBe(nameAt(2))
})

test('a refusal shows before the database is copied', async () => {
  server.faults.push({ at: /^GET/, does: 'deny' })
  await expect(open().add(join(folder, 'none.db'), { keep: null, now: NOW })).rejects.toMatchObject(
    { code: 'backup_denied' },
  )
})

test('what a dead process left of a copy goes after a while', async () => {
  const partial = join(folder, 'svc-upload-2026-01-30T15-00-00-000Z.partial')
  writeFileSync(partial, '')
  utimesSync(partial, 1, 1)
  await open().add(path, { keep: null, now: Date.now() })
  expect(existsSync(partial)).toBe(false)
})
