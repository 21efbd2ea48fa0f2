/** Tests backups in S3, made next to a running node, and the restore after the disk is lost. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { type CommandServer, openCommandServer } from '../../test/support/command-server.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { S3_KEY, startS3Server } from '../../test/support/s3-server.ts'
import { startSvc } from '../../test/support/svc-process.ts'

let folder = ''
let dataDir = ''
let commands: CommandServer
let s3: ChildProcess
let env: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  commands = openCommandServer()
  const program = resolve(import.meta.dirname, '../../test/support/run-s3-server.ts')
  s3 = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line]: unknown[] = await once(s3.stdout ?? s3, 'data')
  env = {
    AWS_ENDPOINT_URL_S3: String(line).trim(),
    AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
  }
})
afterAll(() => {
  commands.close()
  s3.kill('SIGTERM')
})
beforeEach(() => {
  folder = makeMemoryFolder('svc-s3-backups-')
  dataDir = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const svc = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  commands.run({ args: [...args, '--data-dir', dataDir], cwd: folder, env: { ...env, ...more } })
const mark = async (value: string): Promise<void> => {
  const db = await openDatabase({ url: `file:${join(dataDir, 'svc.db')}` })
  await db.write([sql`INSERT INTO meta (key, value) VALUES (${`mark-${value}`}, ${value})`])
  await db.close()
}
const marksOf = async (): Promise<readonly unknown[]> => {
  const db = await openDatabase({ url: `file:${join(dataDir, 'svc.db')}` })
  const rows = await db.all(sql`SELECT value FROM meta WHERE key LIKE 'mark-%' ORDER BY value`)
  await db.close()
  return rows.map((row) => row.value)
}
const nameOf = (stdout: string): string => /svc-[\dTZ-]+\.db/.exec(stdout)?.[0] ?? ''
const timeOf = (name: string): string =>
  name.replace(/^svc-(.{13})-(\d\d)-(\d\d)-(\d{3}Z)\.db$/, '$1:$2:$3.$4')
const startNode = () =>
  startSvc(['start', '--data-dir', dataDir], {
    cwd: folder,
    env: { SVC_SANDBOX: 'node', SVC_SANDBOX_MIN_LEVEL: 'none' },
  })

test('a database whose disk was lost comes back from S3, and a node runs on it', async () => {
  const node = startNode()
  await node.untilSaid(/http:\/\/127\.0\.0\.1:\d+/)
  await mark('one')
  const first = svc(['db', 'backup', 's3://backups/lost'])
  expect([first.stderr, first.status]).toEqual(['', 0])
  expect(first.stdout).toMatch(
    /^Wrote s3:\/\/backups\/lost\/svc-.*\.db: \d+ bytes, schema \d+\.\n$/,
  )
  await mark('two')
  const second = svc(['db', 'backup', 's3://backups/lost/'])
  await mark('three')
  // only the database and the files that the node keeps next to it
  expect(readdirSync(dataDir).filter((name) => /upload|partial/.test(name))).toEqual([])
  const inUse = svc(['db', 'restore', 's3://backups/lost'])
  expect([inUse.stderr, inUse.status]).toEqual([expect.stringContaining('is in use'), 1])
  expect(await node.stop()).toBe(0)
  const key = readFileSync(join(dataDir, 'secret.key'))
  rmSync(dataDir, { recursive: true })

  const restored = svc(['db', 'restore', 's3://backups/lost'])
  expect(restored.status).toBe(0)
  expect(restored.stdout).toContain(`from s3://backups/lost/${nameOf(second.stdout)}, schema`)
  expect(await marksOf()).toEqual(['one', 'two'])
  expect(existsSync(join(dataDir, 'svc.db.download'))).toBe(false)

  const at = svc(['db', 'restore', '--at', timeOf(nameOf(first.stdout)), 's3://backups/lost'])
  expect(at.stdout).toContain(nameOf(first.stdout))
  expect(await marksOf()).toEqual(['one'])
  const named = svc(['db', 'restore', `s3://backups/lost/${nameOf(second.stdout)}`])
  expect(named.stdout).toContain('The previous database is kept as')
  expect(await marksOf()).toEqual(['one', 'two'])

  // the instance key was lost with the disk; an operator restores the copy that is kept elsewhere
  writeFileSync(join(dataDir, 'secret.key'), key, { mode: 0o600 })
  const again = startNode()
  await again.untilSaid(/http:\/\/127\.0\.0\.1:\d+/)
  expect(await again.stop()).toBe(0)
})

test('--every --keep keeps the newest in S3, over a kill, and leaves other prefixes alone', async () => {
  svc(['workspace', 'create', 'sales'])
  const other = svc(['db', 'backup', 's3://backups/kept/other'])
  const start = () =>
    startSvc(
      ['db', 'backup', '--every', '1s', '--keep', '2', 's3://backups/kept', '--data-dir', dataDir],
      { cwd: folder, env },
    )
  const running = start()
  await running.untilSaid(/"Made a backup\."/)
  running.child.kill('SIGKILL')
  await running.ended
  const oldest = nameOf(/"file":"s3:[^"]*"/.exec(running.said())?.[0] ?? '')
  const again = start()
  await again.untilSaid(new RegExp(`"removed":\\["${oldest}"`))
  expect(again.said()).toContain(`"newest":"${oldest}"`)
  expect(await again.stop()).toBe(0)
  expect(again.said()).not.toContain('No backup was made')

  const gone = svc(['db', 'restore', `s3://backups/kept/${oldest}`])
  expect([gone.stderr, gone.status]).toEqual([
    expect.stringMatching(/^The bucket backups has no file for GET .*\. Check the address;/),
    1,
  ])
  const before = svc(['db', 'restore', '--at', '2020-01-01T00:00:00Z', 's3://backups/kept'])
  expect(before.stderr).toContain('The oldest there is svc-')
  const kept = svc(['db', 'backup', '--keep', '1', 's3://backups/kept'])
  expect(kept.stdout.match(/^Removed (.*)\.$/m)?.[1]?.split(', ')).toHaveLength(2)
  expect(svc(['db', 'restore', 's3://backups/kept']).stdout).toContain(nameOf(kept.stdout))
  expect(svc(['db', 'restore', `s3://backups/kept/other/${nameOf(other.stdout)}`]).status).toBe(0)
})

test.each([
  { signal: 'SIGKILL', exit: null },
  { signal: 'SIGTERM', exit: 1 },
] as const)('$signal in the middle of an upload leaves no backup', async ({ signal, exit }) => {
  svc(['workspace', 'create', 'sales'])
  const slow = await startS3Server()
  slow.faults.push({ at: /^PUT/, does: 'hang' })
  const at = { cwd: folder, env: { ...env, AWS_ENDPOINT_URL_S3: slow.endpoint } }
  const words = ['db', 'backup', 's3://backups/cut', '--data-dir', dataDir]
  const cut = startSvc(words, at)
  const isSending = (): boolean => slow.requests.some((line) => line.startsWith('PUT'))
  await expect.poll(isSending, { timeout: 30_000 }).toBe(true)
  cut.child.kill(signal)
  expect(await cut.ended).toBe(exit)
  expect(readdirSync(dataDir).filter((name) => name.includes('upload'))).toEqual([])

  slow.faults.pop()
  const next = startSvc([...words, '--every', '1h'], at)
  await next.untilSaid(/"newest":null.*\n.*"Made a backup\."/)
  expect(await next.stop()).toBe(0)
  await slow.close()
})

test.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ['no service', { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:59999' }, 'ECONNREFUSED'],
  ['an unknown key', { AWS_ACCESS_KEY_ID: 'OTHER' }, 'does not accept the access key'],
  ['a wrong secret', { AWS_SECRET_ACCESS_KEY: 'no-such-secret' }, 'does not accept the access key'],
  ['no secret', { AWS_SECRET_ACCESS_KEY: '' }, 'Set AWS_ACCESS_KEY_ID and AWS_SECRET'],
  ['no bucket', { BUCKET: 'missing-bucket' }, 'There is no bucket missing-bucket at'],
])(
  'a backup with %s fails with its remedy',
  (_title, { BUCKET = 'backups', ...more }, sentence) => {
    svc(['workspace', 'create', 'sales'])
    const { stdout, stderr, status } = svc(['db', 'backup', `s3://${BUCKET}/fails`], more)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('no-such-secret')
    expect([stdout, status]).toEqual(['', 1])
    expect(svc(['db', 'restore', 's3://backups/fails']).stderr).toContain(
      'There is no backup in s3://backups/fails/. Check the bucket',
    )
  },
)

test.each([
  { args: ['backup', 's3://backups/a b'], sentence: 'must be s3://bucket/prefix' },
  { args: ['backup', 's3://backups/mine.db'], sentence: 'is a folder' },
  { args: ['restore', 's3:backups'], sentence: 'must be s3://bucket/prefix' },
  {
    args: ['restore', '--at', '2026-01-31T15:00:00Z', 's3://backups/svc-1.db'],
    sentence: '--at needs a folder',
  },
])('db $args answers: $sentence', ({ args, sentence }) => {
  const { stdout, stderr, status } = svc(['db', ...args])
  expect(stderr).toContain(sentence)
  expect([stdout, status]).toEqual(['', 2])
})
