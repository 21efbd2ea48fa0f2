/**
 * Tests `svc support-bundle` of a running node that has secrets in all places: what it
 * contains, and that it contains no secret.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CREDENTIAL } from '../../test/support/leak-scan.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { CHILD_ENV, FROM_SOURCE, startSvc } from '../../test/support/svc-process.ts'

/** Each secret contains `marker`, so that one search finds any of them. */
const SECRETS = {
  SVC_SECRET_KEY: Buffer.from('marker-marker-marker-marker-mark').toString('base64'),
  SVC_ADMIN_PASSWORD: 'adm"marker-0',
  SVC_METRICS_TOKEN: 'metrics-marker-1',
  SVC_SMTP_URL: 'smtp://svc:smtp-marker%2F2@mail.example.com:587',
  SVC_OIDC_CLIENT_SECRET: 'oidc-marker-3',
  SVC_TOKEN: `svc_abcdefgh_${'marker4'.padEnd(38, 'x')}`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=otlp-marker-5',
  AWS_SECRET_ACCESS_KEY: 'aws-marker-6',
}
/** This sandbox starts faster than the others. */
const SANDBOX = { SVC_SANDBOX: 'node', SVC_SANDBOX_MIN_LEVEL: 'none' }

let folder = ''
let dataDir = ''
beforeEach(() => {
  folder = makeMemoryFolder('svc-support-')
  dataDir = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const bundle = (env: Readonly<Record<string, string>>, ...args: readonly string[]): string => {
  const [command = '', ...program] = FROM_SOURCE
  const file = join(folder, 'bundle.tar.gz')
  const options = { encoding: 'utf8', cwd: folder, env: { ...CHILD_ENV, ...env } } as const
  const given = [...program, 'support-bundle', file, '--data-dir', dataDir, ...args]
  const said = execFileSync(command, given, options)
  expect(said).toContain(`Wrote ${file}`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  execFileSync('tar', ['-xzf', file, '-C', folder])
  return said
}

const read = (name: string): string => readFileSync(join(folder, 'svc-support', name), 'utf8')
const FILES = ['README.txt', 'about.json', 'settings.json', 'doctor.json', 'health.json'] as const
const MORE = ['metrics.txt', 'counts.json', 'log.txt'] as const

test('a bundle shows how a node fares, and none of its secrets', async () => {
  const node = startSvc(['start', '--data-dir', dataDir], {
    cwd: folder,
    env: { ...SECRETS, ...SANDBOX },
  })
  const [, port = ''] = await node.untilSaid(/"url":"http:\/\/127\.0\.0\.1:(\d+)"/)
  const log = join(folder, 'svc.log')
  const planted = [
    ...Object.values(SECRETS),
    ...Object.values(SECRETS).map((secret) => JSON.stringify({ message: `Said ${secret}.` })),
    'postgres://ada:pg-marker-7@db/x',
    '{"properties":{"api_token":"named-marker-8"}}',
    'Authorization: Bearer bearer-marker-9',
    'Sign in as marker@example.com',
  ]
  writeFileSync(log, `${node.said()}${planted.join('\n')}\nthe last line\n`)
  try {
    bundle({ ...SECRETS, ...SANDBOX }, '--log', log, '--port', port)
  } finally {
    expect(await node.stop()).toBe(0)
  }
  for (const name of [...FILES, ...MORE]) {
    expect(read(name), name).not.toMatch(/marker/)
    expect(read(name), name).not.toContain(SECRETS.SVC_SECRET_KEY)
    expect(read(name), name).not.toMatch(CREDENTIAL)
  }
  expect(JSON.parse(read('about.json'))).toMatchObject({ version: expect.any(String) })
  const { settings } = JSON.parse(read('settings.json'))
  expect(settings).toContainEqual(
    expect.objectContaining({ env: 'SVC_METRICS_TOKEN', value: '********' }),
  )
  expect(settings).toContainEqual(expect.objectContaining({ env: 'SVC_PORT', value: port }))
  const checks: readonly { name: string; ok: boolean }[] = JSON.parse(read('doctor.json'))
  expect(checks.find(({ name }) => name === 'database')).toMatchObject({ ok: true })
  expect(JSON.parse(read('health.json'))).toMatchObject({ status: 'ok' })
  expect(read('metrics.txt')).toContain('svc_build_info{')
  const { tables } = JSON.parse(read('counts.json'))
  expect(tables).toContainEqual({ table: 'users', rows: 1 })
  expect(read('log.txt')).toContain('The node is ready.')
  expect(read('log.txt')).toContain('the last line')
})

test('a bundle of a machine on which nothing works holds the errors, and masks the first password', () => {
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'svc.db'), 'no database '.repeat(1_000))
  writeFileSync(join(dataDir, 'initial-admin.txt'), 'admin@localhost\nfirst-marker-password\n')
  const log = join(folder, 'svc.log')
  writeFileSync(log, 'Sign in with first-marker-password\n')
  bundle(SANDBOX, '--log', log, '--port', '1')
  expect(JSON.parse(read('health.json'))).toEqual({ status: 'unreachable' })
  expect(read('metrics.txt')).toContain('error')
  expect(JSON.parse(read('counts.json'))).toEqual({ error: expect.stringContaining('database') })
  expect(read('log.txt')).toBe('Sign in with ********\n')
})

test('a bundle into a folder that is not there is refused with its name', () => {
  const [command = '', ...program] = FROM_SOURCE
  const file = join(folder, 'none', 'bundle.tar.gz')
  const given = [...program, 'support-bundle', file, '--data-dir', dataDir]
  const { stderr, status } = spawnSync(command, given, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...CHILD_ENV, ...SANDBOX },
  })
  expect(stderr).toContain(`Folder "${join(folder, 'none')}" not found.`)
  expect(status).toBe(1)
})
