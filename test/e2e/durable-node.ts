/** A data directory with an app in it, and nodes on it that may be killed. At the end, an audit of the database. */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { writeNodeDatabase } from '../support/database-template.ts'
import { makeFolderIn, makeMemoryFolder, type Place } from '../support/memory-folder.ts'
import { PROGRAM, type SvcProcess, startSvc } from '../support/svc-process.ts'

const run = promisify(execFile)

const MANIFEST = `key: crash
name: Crash
actions:
  - key: quick
    entrypoint: quick.ts
  - key: slow
    entrypoint: slow.ts
    cancelGraceS: 0
  - key: durable
    entrypoint: durable.ts
  - key: starts
    entrypoint: starts.ts
  - key: fails
    entrypoint: fails.ts
  - key: calls
    entrypoint: calls.ts
flows:
  - key: long
    steps:
      - { key: first, action: quick }
      - { key: each, kind: forloop_parallel, action: quick, items: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] }
      - { key: below, kind: subflow, subflow: short, input: { id: 5 } }
      - { key: arms, kind: branchall, branches: [{ key: a, action: quick, input: { id: 6 } }, { key: b, action: quick, input: { id: 7 } }] }
  - key: short
    steps:
      - { key: one, action: quick }
      - { key: two, action: quick }
  - key: saga
    steps:
      - { key: one, action: quick, undo: { action: quick, input: { id: 11 } } }
      - { key: two, action: quick, undo: { action: quick, input: { id: "\${results.two.id}" } } }
      - { key: three, action: quick, undo: { action: quick, input: { id: 13 } } }
      - { key: four, action: fails }
    failureModule: { key: tell, action: quick, input: { id: "\${failedStep}" } }
  - key: nested
    steps:
      - { key: one, action: quick, undo: { action: quick } }
      - { key: all, kind: branchall, branches: [{ key: a, subflow: middle }, { key: b, subflow: middle }, { key: c, subflow: saga }] }
  - key: middle
    steps:
      - { key: one, action: quick, undo: { action: quick } }
      - { key: each, kind: forloop_parallel, items: [1, 2, 3], subflow: waits }
  - key: pause
    steps:
      - { key: nap, kind: sleep, forS: 1 }
  - key: waits
    steps:
      - { key: one, action: quick, undo: { action: quick } }
      - { key: two, action: quick, undo: { action: quick } }
      - { key: never, kind: event, name: never }
webhooks:
  - { key: job, action: quick, verify: { scheme: none }, dedupe: { body: id } }
  - { key: flow, flow: short, verify: { scheme: none }, dedupe: { body: id } }
`
const QUICK = 'export const main = (ctx) => ({ id: ctx.input.id, attempt: ctx.job.attempt })\n'
/** Takes `ms`, or until a given time: a first run then outlasts whatever a slow machine does, and a second one ends at once. */
const SLOW = `export const main = async (ctx) => {
  const { until, ms = until - Date.now() } = ctx.input
  await new Promise((resolve) => setTimeout(resolve, ms))
  return { id: ctx.input.id, attempt: ctx.job.attempt }
}
`

/** Records two steps, and is suspended between them. */
const DURABLE = `export const main = async (ctx) => {
  const id = await ctx.step('read', () => ctx.input.id)
  await ctx.sleep('pause', { seconds: 1 })
  return await ctx.step('write', () => ({ id, attempt: ctx.job.attempt }))
}
`

const STARTS = `export const main = async (ctx) => [
  await ctx.run('quick', { id: 1 }),
  await ctx.run('quick', { id: 2 }),
  await ctx.startFlow('short', {}),
]
`

const CALLS = `export const main = async (ctx) => ({
  got: await ctx.callFlow('run', 'short', { id: ctx.input.id }),
  attempt: ctx.job.attempt,
})
`

const FAILS = "export const main = () => { throw new Error('no') }\n"

export type Node = Readonly<{ url: string; process: SvcProcess }>

export type Folder = Readonly<{
  path: string
  databaseUrl: string
  token: string
  /** Resolves when the node is ready. */
  start: (options?: StartOptions) => Promise<Node>
  /** For a node that may die before it is ready. */
  launch: (options?: StartOptions) => SvcProcess
  /** Kills the nodes that still run in it, and deletes the folder. */
  remove: () => void
}>

export type StartOptions = Readonly<{
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** @default PROGRAM */
  program?: readonly string[]
}>

/** For tests that kill no worker, because a process may be delayed on a busy machine for longer than a short lease. */
export const LONG_LEASE = { SVC_JOB_LEASE_S: '30' }

/** Short leases, so that a test does not have to wait for the default ten seconds. */
const QUICK_LEASE = { SVC_JOB_LEASE_S: '2', SVC_RATE_OTHER_PER_S: '0', SVC_RATE_RUN_PER_S: '0' }

const launchIn = (
  path: string,
  { args = ['start', '--concurrency', '2'], env = {}, program = PROGRAM }: StartOptions,
): SvcProcess => startSvc(args, { cwd: path, env: { ...QUICK_LEASE, ...env }, program })

/** Resolves when the node serves. */
export const untilReady = async (node: SvcProcess): Promise<Node> => {
  const [line] = await node.untilSaid(/.*The node is ready\..*/)
  const [, url = ''] = /"url":"(http:[^"]+)"/.exec(line) ?? []
  return { url, process: node }
}

export type DeployTarget = Readonly<{
  url: string
  ws: string
  token: string
  /** A folder in which the app is written. */
  path: string
}>

/** Deploys the app of these tests. */
export const deployTo = async ({ url, ws, token, path }: DeployTarget): Promise<void> => {
  const app = join(path, 'app')
  execFileSync('mkdir', ['-p', app])
  writeFileSync(join(app, 'app.yaml'), MANIFEST)
  writeFileSync(join(app, 'quick.ts'), QUICK)
  writeFileSync(join(app, 'slow.ts'), SLOW)
  writeFileSync(join(app, 'durable.ts'), DURABLE)
  writeFileSync(join(app, 'starts.ts'), STARTS)
  writeFileSync(join(app, 'fails.ts'), FAILS)
  writeFileSync(join(app, 'calls.ts'), CALLS)
  const archive = execFileSync('tar', ['-cz', '-C', app, '.'])
  const form = new FormData()
  form.set('bundle', new Blob([archive]), 'app.tar.gz')
  const answer = await fetch(`${url}/api/w/${ws}/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

const makeFolder = async (
  env: Readonly<Record<string, string>>,
  program: readonly string[],
  place: Place = 'memory',
): Promise<Folder> => {
  const path = makeFolderIn(place, 'svc-e2e-')
  // a node migrates a database over sqld itself, and an older svc needs its own schema
  if (isOwn(env, program)) await writeNodeDatabase(join(path, 'svc-data'))
  const node = await untilReady(launchIn(path, { env, program }))
  const [command = '', ...before] = program
  // asynchronous, because this process may be the network between the command and its database
  const issued = await run(command, [...before, 'create-token', 'default', 'admin@localhost'], {
    cwd: path,
    env: { PATH: process.env.PATH, ...env },
  })
  const token = issued.stdout.trim()
  await deployTo({ url: node.url, ws: 'default', token, path })
  await node.process.stop()
  return toFolder(path, token)
}

const isOwn = (env: Readonly<Record<string, string>>, program: readonly string[]): boolean =>
  env.SVC_DATABASE_URL === undefined && program === PROGRAM

/** The first folder of this process for each environment. */
const firstFolders = new Map<string, Promise<Folder>>()

const firstFolder = (env: Readonly<Record<string, string>>): Promise<Folder> => {
  const key = JSON.stringify(env)
  const known = firstFolders.get(key)
  if (known !== undefined) return known
  // a process that is killed leaves it, so it must not stay in memory
  const made = makeFolder(env, PROGRAM, 'disk')
  firstFolders.set(key, made)
  made.then(({ remove }) => process.once('exit', remove)).catch(() => firstFolders.delete(key))
  return made
}

/**
 * One start for all tests, each of which works on a copy. With a database of its own in a file, one start for all test files
 * of this process.
 */
export const makeTemplate = async (
  env: Readonly<Record<string, string>> = {},
  program: readonly string[] = PROGRAM,
  place: Place = 'memory',
): Promise<Folder> =>
  isOwn(env, program) && place === 'memory'
    ? copyOf(await firstFolder(env))
    : makeFolder(env, program, place)

const toFolder = (path: string, token: string): Folder => {
  const launched: SvcProcess[] = []
  const launch = (options: StartOptions = {}): SvcProcess => {
    const node = launchIn(path, options)
    launched.push(node)
    return node
  }
  return {
    path,
    databaseUrl: `file:${join(path, 'svc-data', 'svc.db')}`,
    token,
    start: (options) => untilReady(launch(options)),
    launch,
    remove: () => {
      // a failed test leaves its nodes running
      for (const { child } of launched) child.kill('SIGKILL')
      rmSync(path, { recursive: true, force: true })
    },
  }
}

const copyOf = (template: Folder): Folder => {
  const path = makeMemoryFolder('svc-e2e-')
  cpSync(join(template.path, 'svc-data'), join(path, 'svc-data'), { recursive: true })
  return toFolder(path, template.token)
}

/** Works on a copy of the template, which is deleted afterwards. */
export const withCopyOf = async (
  template: Folder,
  work: (folder: Folder) => Promise<void>,
): Promise<void> => {
  const folder = copyOf(template)
  try {
    await work(folder)
  } finally {
    folder.remove()
  }
}

const accepted = z.union([
  z.object({ job_id: z.string() }).transform(({ job_id }) => job_id),
  z.object({ flow_run_id: z.string() }).transform(({ flow_run_id }) => flow_run_id),
])

/** @returns the id of the acknowledged job, or null if there was no response or a temporary refusal */
export const tryRun = (
  node: Node,
  folder: Folder,
  action: string,
  input: object,
): Promise<string | null> => tryPost(node, folder, `jobs/run/crash/${action}`, input)

/** Like `tryRun`, for a flow. */
export const tryFlow = (
  node: Node,
  folder: Folder,
  flow: string,
  input: object,
): Promise<string | null> => tryPost(node, folder, `flows/run/crash/${flow}`, input)

const tryPost = async (
  { url }: Node,
  { token }: Folder,
  path: string,
  input: object,
): Promise<string | null> => {
  try {
    const answer = await fetch(`${url}/api/w/default/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    if (answer.status === 503) return null
    if (answer.status !== 201) throw new RefusedError(`${answer.status} ${await answer.text()}`)
    return accepted.parse(await answer.json())
  } catch (error) {
    // a request fails without a response if the node died
    if (error instanceof RefusedError) throw error
    return null
  }
}

class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

const countRows = async (folder: Pick<Folder, 'databaseUrl'>, query: string): Promise<number> => {
  const db = await openDatabase({ url: folder.databaseUrl })
  try {
    return Number((await db.one(raw(query)))?.n)
  } finally {
    await db.close()
  }
}

/** The number of jobs and flow runs that have not ended. */
const countOpen = (folder: Pick<Folder, 'databaseUrl'>): Promise<number> =>
  countRows(
    folder,
    `SELECT (SELECT count(*) FROM jobs WHERE completed_at IS NULL)
       + (SELECT count(*) FROM flow_runs WHERE completed_at IS NULL) AS n`,
  )

/** Describes some of the open jobs and flow runs, for a failure. */
const describeOpen = async ({ databaseUrl }: Pick<Folder, 'databaseUrl'>): Promise<string> => {
  const db = await openDatabase({ url: databaseUrl })
  const rows = await db.all(
    sql`SELECT id, status, app, action AS target, ready, attempt, lease_until, run_at, suspended_kind, flow_run_id
      FROM jobs WHERE completed_at IS NULL
      UNION ALL SELECT id, status, app, flow, step_index, transition, NULL, created_at, NULL, NULL
      FROM flow_runs WHERE completed_at IS NULL LIMIT 10`,
  )
  await db.close()
  return JSON.stringify(rows)
}

export const untilAllEnded = async (
  folder: Pick<Folder, 'databaseUrl'>,
  withinMs = 30_000,
): Promise<void> => {
  const deadline = performance.now() + withinMs
  while ((await countOpen(folder)) > 0) {
    if (performance.now() > deadline)
      throw new Error(`Jobs and runs never ended: ${await describeOpen(folder)}`)
    await sleep(100)
  }
}

/** Resolves when a worker runs a job. */
export const untilOneRuns = async (
  folder: Pick<Folder, 'databaseUrl'>,
  withinMs = 30_000,
): Promise<void> => {
  const deadline = performance.now() + withinMs
  const query = "SELECT count(*) AS n FROM jobs WHERE status = 'running'"
  while ((await countRows(folder, query)) === 0) {
    if (performance.now() > deadline) throw new Error('No job was claimed.')
    await sleep(20)
  }
}

export type AuditedJob = Readonly<{
  id: string
  status: string
  attempt: number
  crashes: number
  bills: number
  worker: string
  result: string
}>

/** Lists every job of the database with the number of its billing rows. */
export const audit = async ({
  databaseUrl,
}: Pick<Folder, 'databaseUrl'>): Promise<ReadonlyMap<string, AuditedJob>> => {
  const db = await openDatabase({ url: databaseUrl })
  try {
    const rows = await db.all(
      sql`SELECT id, status, attempt, crash_count, worker, result,
           (SELECT count(*) FROM ledger WHERE ledger.job_id = jobs.id) AS bills FROM jobs`,
    )
    return new Map(
      rows.map((row) => [
        String(row.id),
        {
          id: String(row.id),
          status: String(row.status),
          attempt: Number(row.attempt),
          crashes: Number(row.crash_count),
          bills: Number(row.bills),
          worker: String(row.worker),
          result: String(row.result),
        },
      ]),
    )
  } finally {
    await db.close()
  }
}
