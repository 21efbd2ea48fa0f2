/** The setting of a chaos run: the app, people who approve, schedules, and jobs old enough for retention. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { issueToken } from '#service/access/issue-token.ts'
import type { Database } from '#store/database.ts'
import { SQL_NOW, sql } from '#store/sql.ts'
import type { Node } from '../e2e/durable-node.ts'
import { insertJobs } from '../support/insert-job.ts'
import { appFiles, FUNCTION_FILES } from './app.ts'
import type { Approver } from './load/flows.ts'
import type { Tenant } from './tenant.ts'

const APP = 'chaos'
const APPROVERS = ['ada@chaos.test', 'bob@chaos.test', 'cyd@chaos.test']
const AGED_MS = 40 * 86_400_000
const AGED_JOBS = 12
/** A tag that no worker serves. Jobs with it wait until the end of the load. */
export const PARKED_TAG = 'parked'

const post = async (
  { token }: Pick<Tenant, 'token'>,
  url: string,
  body: FormData | string,
): Promise<void> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    body,
  })
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
}

/** @param port of the witness */
export const deployApp = async (
  tenant: Pick<Tenant, 'ws' | 'token'>,
  { url }: Node,
  port: number,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-app-'))
  for (const [name, text] of Object.entries(appFiles(port, tenant.ws)))
    writeFileSync(join(folder, name), text)
  const archive = execFileSync('tar', ['-cz', '-C', folder, '.'])
  rmSync(folder, { recursive: true })
  const bundle = new FormData()
  bundle.set('bundle', new Blob([archive]), 'app.tar.gz')
  await post(tenant, `${url}/api/w/${tenant.ws}/deployments`, bundle)
  const functions = new FormData()
  for (const [name, text] of Object.entries(FUNCTION_FILES)) {
    functions.set(name, new Blob([text]), 'file')
  }
  await post(tenant, `${url}/api/w/${tenant.ws}/apps/${APP}/functions/deploy`, functions)
}

/** @param home the database that contains the accounts */
export const addApprovers = ({ ws, read }: Tenant, home: Database): Promise<readonly Approver[]> =>
  read(async (db) => {
    const deps = {
      db,
      home,
      newId: () => v7(),
      randomBytes: (length: number) => randomBytes(length),
    }
    const made: Approver[] = []
    for (const email of APPROVERS) {
      const account = sql`INSERT INTO users (email, created_at) VALUES (${email}, ${SQL_NOW})
        ON CONFLICT DO NOTHING`
      await home.write([account])
      await db.write([
        account,
        sql`INSERT INTO members (ws, email, role, created_at)
          VALUES (${ws}, ${email}, 'member', ${SQL_NOW})`,
      ])
      const { text } = await issueToken(deps, {
        ws,
        email,
        label: 'chaos',
        scopes: ['flows:resume', 'flows:read'],
        isAdmin: false,
        expiresInDays: null,
        actor: CLI_ACTOR,
      })
      made.push({ email, token: text })
    }
    return made
  })

/** The number of schedules with `@every 1s` and with `@every 10s`. */
export type ScheduleCounts = Readonly<{ eachSecond: number; each10Seconds: number }>

/** The interval of a schedule such as `@every 1s`, in milliseconds. */
export const everyMsOf = (cron: string): number => 1_000 * Number(/^@every (\d+)s$/.exec(cron)?.[1])

export const addSchedules = async (
  tenant: Tenant,
  { url }: Node,
  { eachSecond, each10Seconds }: ScheduleCounts,
): Promise<void> => {
  for (let at = 0; at < eachSecond + each10Seconds; at += 1) {
    const schedule = {
      app_key: APP,
      action_key: 'quick',
      cron: at < eachSecond ? '@every 1s' : '@every 10s',
      input: { id: -1 },
    }
    await post(tenant, `${url}/api/w/${tenant.ws}/schedules`, JSON.stringify(schedule))
  }
}

const ageJobs = async (
  db: Database,
  { ws, deploymentId }: Readonly<{ ws: string; deploymentId: string }>,
  status: 'queued' | 'success',
): Promise<readonly string[]> => {
  const createdAt = Date.now() - AGED_MS
  const options = {
    ws,
    deploymentId,
    app: APP,
    action: 'quick',
    status,
    createdAt,
    tag: PARKED_TAG,
  }
  const ids = await insertJobs(
    db,
    Array.from({ length: AGED_JOBS }, () => options),
  )
  await db.write([
    sql`UPDATE job_inputs SET input = '{"id":-2}' WHERE job_id IN (SELECT value
      FROM json_each(${JSON.stringify(ids)}))`,
  ])
  return ids
}

/** Old jobs. Retention must delete those that have ended, and leave those that wait. */
export const addAgedJobs = ({ ws, read }: Tenant) =>
  read(async (db) => {
    const row = await db.one(sql`SELECT deployment_id FROM apps WHERE key = ${APP}`)
    const deploymentId = String(row?.deployment_id)
    return {
      open: await ageJobs(db, { ws, deploymentId }, 'queued'),
      ended: await ageJobs(db, { ws, deploymentId }, 'success'),
    }
  })

/** Disables all schedules, and releases the jobs of the tag that no worker serves. */
export const endOfLoad = ({ read }: Tenant): Promise<unknown> =>
  read((db) =>
    db.write(
      [
        sql`UPDATE schedules SET enabled = 0, next_fire_at = NULL, version = version + 1`,
        sql`UPDATE jobs SET tag = 'default' WHERE tag = ${PARKED_TAG} AND status = 'queued'`,
      ],
      { retry: true },
    ),
  )
