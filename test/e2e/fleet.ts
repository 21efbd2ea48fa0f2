/** An instance of several processes over a file, a real sqld or several databases of one sqld, with an app deployed. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'
import { makeMigratedDirectory } from '../support/migrated-sqld.ts'
import type { Sqld, SqldOptions } from '../support/sqld.ts'
import { CHILD_ENV, PROGRAM, type SvcProcess } from '../support/svc-process.ts'
import { type Folder, makeTemplate, type Node, type StartOptions } from './durable-node.ts'
import {
  databaseEnv,
  type FleetBackend,
  type FleetDatabase,
  openFleetDatabases,
} from './fleet-databases.ts'

export type { FleetBackend } from './fleet-databases.ts'

const run = promisify(execFile)

export type Fleet = Readonly<{
  backend: FleetBackend
  sqld: Sqld | null
  folder: Folder
  /** The home cell first. */
  databases: readonly FleetDatabase[]
  /** Resolves when the node is ready. */
  start: (role: string, options?: StartOptions) => Promise<Node>
  /** For a node that may die before it is ready. */
  launch: (role: string, options?: StartOptions) => SvcProcess
  /** Runs a command of svc with the settings of the nodes. @returns its output @throws {Error} it failed */
  command: (...args: readonly string[]) => Promise<string>
  /** Sends a request to a server. */
  call: (node: Node, method: string, path: string, json?: unknown) => Promise<FleetAnswer>
  /** Reads a database directly: the home, or the one with this name. */
  read: <T>(look: (db: Database) => Promise<T>, name?: string) => Promise<T>
  /** Kills whatever still runs. */
  close: () => Promise<void>
}>

export type FleetAnswer = Readonly<{ status: number; json: unknown; headers: Headers }>

export const openFleet = async (
  backend: FleetBackend,
  env: Readonly<Record<string, string>> = {},
  sqldEnv: Readonly<Record<string, string>> = {},
  /** @default from source */
  program?: readonly string[],
  sqldOptions: Pick<SqldOptions, 'ownSession' | 'place'> = {},
): Promise<Fleet> => {
  // an older svc migrates to a schema of its own, and chaos needs the disk of its run
  const isCopy = backend === 'sqld' && program === undefined && sqldOptions.place !== 'disk'
  const { sqld, all, close } = await openFleetDatabases(backend, {
    ...sqldOptions,
    env: sqldEnv,
    ...(isCopy ? { directory: await makeMigratedDirectory() } : {}),
  })
  const shared = { ...env, ...databaseEnv(all) }
  const template = await makeTemplate(shared, program, sqldOptions.place)
  const databaseUrl = all[0]?.url ?? `file:${join(template.path, 'svc-data', 'svc.db')}`
  const folder = { ...template, databaseUrl }
  const file = { name: 'home', url: databaseUrl, nodeUrl: databaseUrl, network: null }
  const databases = all.length === 0 ? [file] : all
  const started: SvcProcess[] = []
  const optionsOf = (
    role: string,
    { args = [], env: own = {}, program: other = program }: StartOptions,
  ): StartOptions => ({
    args: [role, ...args],
    env: { ...shared, ...own },
    ...(other === undefined ? {} : { program: other }),
  })
  return {
    backend,
    sqld,
    folder,
    databases,
    start: async (role, options = {}) => {
      const node = await folder.start(optionsOf(role, options))
      started.push(node.process)
      return node
    },
    launch: (role, options = {}) => {
      const process = folder.launch(optionsOf(role, options))
      started.push(process)
      return process
    },
    command: async (...args) => {
      const [command = '', ...before] = program ?? PROGRAM
      const { stdout } = await run(command, [...before, ...args], {
        cwd: template.path,
        env: { ...CHILD_ENV, ...shared },
      })
      return stdout.trim()
    },
    call: async ({ url }, method, path, json) => {
      const answer = await fetch(`${url}/api/w/default${path}`, {
        method,
        headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      const text = await answer.text()
      return {
        status: answer.status,
        json: text.startsWith('{') ? JSON.parse(text) : text,
        headers: answer.headers,
      }
    },
    read: async (look, name = 'home') => {
      const found = databases.find((each) => each.name === name)
      if (found === undefined) throw new Error(`No database ${name}.`)
      const db = await openDatabase({ url: found.url })
      return look(db).finally(() => db.close())
    },
    close: async () => {
      for (const { child } of started) {
        child.kill('SIGCONT')
        child.kill('SIGKILL')
      }
      await Promise.all(started.map(({ ended }) => ended))
      await close()
      folder.remove()
    },
  }
}

const slotRow = z.object({
  schedule_id: z.string(),
  slot: z.number(),
  outcome: z.enum(['fired', 'skipped']),
  count: z.number(),
  last_slot: z.number().nullable(),
  job: z.string().nullable(),
})

export type SlotAudit = Readonly<{
  fired: number
  skipped: number
  jobs: number
  /** Fire times that came less than one interval after the previous one. `@every` counts from the last fire. */
  tooSoon: number
  /** Milliseconds between two fire times of a schedule. */
  longestGapMs: number
}>

/**
 * Checks the fire times of schedules that fire every `everyMs`.
 * @throws {Error} a fire time has no job, or a job has no fire time
 */
export const auditSlots = async (db: Database, everyMs: number): Promise<SlotAudit> => {
  const rows = z.array(slotRow).parse(
    await db.all(
      sql`SELECT s.schedule_id, s.slot, s.outcome, s.count, s.last_slot, jobs.id AS job
         FROM schedule_slots s LEFT JOIN jobs ON jobs.id = s.job_id`,
    ),
  )
  const orphan = rows.find(({ outcome, job }) => (outcome === 'fired') !== (job !== null))
  if (orphan !== undefined) throw new Error(`A slot without its job: ${JSON.stringify(orphan)}`)
  const counted = await db.one(
    sql`SELECT count(*) AS n FROM jobs WHERE created_by GLOB 'schedule:*'`,
  )
  const bySchedule = Map.groupBy(rows, ({ schedule_id }) => schedule_id)
  const gaps = [...bySchedule.values()].flatMap((slots) => {
    const times = slots.map(({ slot }) => slot).toSorted((a, b) => a - b)
    return times.slice(1).map((slot, at) => slot - (times[at] ?? slot))
  })
  return {
    fired: rows.filter(({ outcome }) => outcome === 'fired').length,
    skipped: rows
      .filter(({ outcome }) => outcome === 'skipped')
      .reduce((sum, { count }) => sum + count, 0),
    jobs: Number(counted?.n),
    tooSoon: gaps.filter((gap) => gap < everyMs).length,
    longestGapMs: Math.max(0, ...gaps),
  }
}
