/** Uses the .deb as a new user does: in a clean Debian, over an upgrade that changes the schema, and back. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { parseJsonOrNull } from '#core/json/value.ts'
import { type CleanDebian, makeCleanDebian } from './clean-debian.ts'
import { FIRST, SECOND } from './make-releases.ts'
import { readAssignments, readUnit } from './systemd-unit.ts'
import { tryAtTerminal } from './try-contents.ts'
import { callApi, deployAndRun, untilHealthy } from './try-node.ts'

const PORT = '3987'
const API = `http://127.0.0.1:${PORT}`
const DATABASE = '/var/lib/svc/svc.db'

type Service = Readonly<{
  /** The log so far. */
  log: () => string
  stop: () => Promise<void>
}>

const stopService = async (node: ChildProcess): Promise<void> => {
  const ended = once(node, 'exit')
  node.kill('SIGTERM')
  assert.deepEqual((await ended)[0], 0)
}

/** Starts svc.service as systemd does. */
const startService = async (debian: CleanDebian): Promise<Service> => {
  const unit = readUnit(debian.read('usr/lib/systemd/system/svc.service'))
  const settings = readAssignments(debian.read(unit.environmentFile).split('\n'))
  const node = debian.startAs(unit.user, { ...unit.env, ...settings }, unit.command)
  let log = ''
  node.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  await untilHealthy(API, node)
  return { log: () => log, stop: () => stopService(node) }
}

/** Sets the port as an administrator does. */
const setPort = (debian: CleanDebian): void => {
  debian.run('sh', '-c', `echo SVC_PORT=${PORT} >>/etc/svc/svc.env`)
}

/** Runs svc as the user of the service, with its folders. */
const asService = (debian: CleanDebian, ...args: readonly string[]): string =>
  debian
    .run(
      'setpriv',
      '--reuid=svc',
      '--regid=svc',
      '--clear-groups',
      'env',
      'SVC_DATA_DIR=/var/lib/svc',
      'SVC_CACHE_DIR=/var/cache/svc',
      'SVC_LOG_LEVEL=error',
      'svc',
      ...args,
    )
    .trim()

type Kept = Readonly<{ token: string; jobs: readonly string[]; apps: readonly string[] }>

const jobsShape = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) })
const appsShape = z.looseObject({ items: z.array(z.looseObject({ key: z.string() })) })

const readKept = async (token: string): Promise<Kept> => {
  const jobs = jobsShape.parse(await callApi(API, token, '/jobs'))
  const apps = appsShape.parse(await callApi(API, token, '/apps'))
  return {
    token,
    jobs: jobs.items.map(({ id }) => id).sort(),
    apps: apps.items.map(({ key }) => key).sort(),
  }
}

const copied = z.looseObject({
  message: z.literal('Copied the database before its migration.'),
  properties: z.looseObject({ backup: z.string(), from: z.number(), to: z.number() }),
})

/** @throws {AssertionError} the log names no copy of the database before its migration, or the copy is missing */
const checkCopy = (debian: CleanDebian, log: string): void => {
  const event = log
    .split('\n')
    .map((line) => copied.safeParse(parseJsonOrNull(line)))
    .find(({ success }) => success)
  assert.ok(event?.success === true, 'The log names no copy of the database.')
  const { backup, from, to } = event.data.properties
  assert.deepEqual([from, to], [FIRST.schema, SECOND.schema])
  assert.ok(backup.startsWith(`${DATABASE}.before-migration-`) && debian.has(backup), backup)
  const check = asService(debian, 'db', 'check', `--database-url=file:${backup}`)
  assert.match(check, new RegExp(`is intact: schema ${FIRST.schema}\\.`))
}

const healthShape = z.looseObject({
  version: z.string(),
  schema: z.object({ known: z.number(), database: z.number() }),
})

/** Checks that the node, its schema and its guides belong to the release. */
const checkHealth = async (version: string, known: number): Promise<void> => {
  const health = healthShape.parse(await (await fetch(`${API}/healthz`)).json())
  assert.equal(health.version, version)
  assert.deepEqual(health.schema, { known, database: SECOND.schema })
  assert.match(await (await fetch(`${API}/docs/`)).text(), new RegExp(`to version ${version},`))
}

/** Checks that the existing data is still there and that new work runs. */
const checkWorks = async (kept: Kept): Promise<void> => {
  assert.deepEqual(await readKept(kept.token), kept)
  await deployAndRun(API, kept.token)
}

type Install = (release: Readonly<{ version: string }>) => string

const tryUpgrade = async (debian: CleanDebian, install: Install, token: string): Promise<void> => {
  const before = await startService(debian)
  const kept = await readKept(token)
  assert.ok(kept.jobs.length > 0 && kept.apps.includes('hello'))
  await before.stop()
  install(SECOND)
  assert.match(debian.read('etc/svc/svc.env'), new RegExp(`SVC_PORT=${PORT}`))
  const upgraded = await startService(debian)
  await checkHealth(SECOND.version, SECOND.schema)
  checkCopy(debian, upgraded.log())
  await checkWorks(kept)
  const keptLater = await readKept(token)
  await upgraded.stop()
  say(
    '✓ the upgrade changes the schema, leaves a copy that the log names, and keeps settings and data',
  )

  install(FIRST)
  const older = await startService(debian)
  await checkHealth(FIRST.version, FIRST.schema)
  await checkWorks(keptLater)
  await older.stop()
  install(SECOND)
  say('✓ the release before works on the newer schema, which is an expansion')
}

const tryRemoval = async (debian: CleanDebian, install: Install): Promise<void> => {
  debian.run('dpkg', '--remove', 'svc')
  assert.ok(!debian.has('usr/bin/svc') && debian.has('etc/svc/svc.env'))
  assert.match(debian.run('dpkg', '--purge', 'svc'), /stay in \/var\/lib\/svc/)
  assert.ok(!debian.has('etc/svc/svc.env') && !debian.has('var/cache/svc'))
  assert.ok(debian.has('var/lib/svc/svc.db') && debian.has('var/lib/svc/secret.key'))
  install(SECOND)
  setPort(debian)
  await (await startService(debian)).stop()
  say('✓ remove keeps settings, purge keeps the database and the key alone')
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

/** @param folders of the files of each release, by version @param root folder for the Debian */
export const tryPackage = async (
  folders: Readonly<Record<string, string>>,
  root: string,
): Promise<void> => {
  const debian = makeCleanDebian(root)
  try {
    const install: Install = ({ version }) => {
      debian.copyIn(join(folders[version] ?? '', `svc_${version}_amd64.deb`), 'tmp/svc.deb')
      return debian.run('dpkg', '--install', '/tmp/svc.deb')
    }
    assert.match(install(FIRST), /http:\/\/127\.0\.0\.1:3000/)
    tryAtTerminal(debian)
    setPort(debian)
    const node = await startService(debian)
    const token = asService(debian, 'create-token', 'default', 'admin@localhost')
    await deployAndRun(API, token)
    await node.stop()
    say('✓ the package installs in a clean Debian, its unit starts as user svc, a job runs')
    await tryUpgrade(debian, install, token)
    await tryRemoval(debian, install)
  } finally {
    debian.remove()
  }
}
