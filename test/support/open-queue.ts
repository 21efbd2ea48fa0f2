import { bootstrap } from '#service/bootstrap.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { type EnqueueRequest, enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import type { Database, Row, Statement } from '#store/database.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import { checkBatches } from './check-batches.ts'
import { claimJobs } from './claim-jobs.ts'
import { PASSWORD } from './database-template.ts'
import { type ActionOptions, deployActions } from './deploy-action.ts'
import { startMigratedSqld } from './migrated-sqld.ts'
import { openTemporaryDatabase } from './temporary-database.ts'
import { createTestDeps } from './test-deps.ts'

export const WS = 'default'
export const APP = 'hello'
export const BY = 'ada@example.com'
/** The super admin in the database of a queue. */
export const QUEUE_ADMIN = 'admin@example.com'

type OpenedDatabase = Readonly<{ db: Database; close: () => Promise<void> }>

const openSqld = async (): Promise<OpenedDatabase> => {
  const sqld = await startMigratedSqld()
  const db = await openDatabase({ url: sqld.httpUrl })
  return {
    db,
    close: async () => {
      await db.close()
      await sqld.close()
    },
  }
}

const openFile = async (): Promise<OpenedDatabase> => {
  const { db, path, close } = await openTemporaryDatabase(QUEUE_ADMIN)
  const batches = checkBatches(db, path)
  const closeBoth = () => close().then(batches.finish)
  return { db: batches.db, close: closeBoth }
}

export const QUEUE_BACKENDS: readonly (readonly [string, () => Promise<OpenedDatabase>])[] = [
  ['a file', openFile],
  ['sqld', openSqld],
]

export type JobOptions = Partial<Omit<EnqueueRequest, 'inputJson'>>

export type Queue = Readonly<{
  deps: AllDeps
  db: Database
  /** Deploys an app with these actions. Each call is a new deployment. */
  deploy: (...actions: readonly Omit<ActionOptions, 'ws' | 'app'>[]) => Promise<string>
  /** Queues a job, by default of `greet`. @returns its id */
  enqueue: (options?: JobOptions) => Promise<string>
  claim: (
    limit: number,
    tags?: readonly string[],
    worker?: string,
  ) => Promise<readonly ClaimedJob[]>
  /** All columns of a job. */
  row: (id: string) => Promise<Row>
  /** Its billing rows. */
  ledger: (id: string) => Promise<readonly Row[]>
  /** Makes the lease of a running job expire. */
  expire: (id: string) => Promise<void>
  /** Makes a delayed job due. */
  makeDue: (id: string) => Promise<void>
}>

/** Inserts a workspace with the encryption key of `WS`. */
export const copyWorkspace = (ws: string): Statement =>
  sql`INSERT INTO workspaces (id, name, wrapped_key, created_at)
    SELECT ${ws}, 'Tenant', wrapped_key, 0 FROM workspaces WHERE id = ${WS}`

export const openQueue = async (db: Database): Promise<Queue> => {
  const deps = createTestDeps(db)
  // does nothing if the database is a copy that already has both
  await bootstrap(deps, { email: QUEUE_ADMIN, password: PASSWORD })
  const enqueueDeps = enqueueDepsOf(deps)
  const set = (id: string, column: 'lease_until' | 'run_at') =>
    db.write([sql`UPDATE jobs SET ${raw(column)} = 1 WHERE ws = ${WS} AND id = ${id}`])
  return {
    deps,
    db,
    deploy: (first = { key: 'greet' }, ...others) =>
      deployActions(deps, [
        { ws: WS, app: APP, ...first },
        ...others.map((other) => ({ ws: WS, app: APP, ...other })),
      ]),
    enqueue: async (options = {}) => {
      const { input = {} } = options
      const { jobId } = await enqueueJob(enqueueDeps, {
        ws: WS,
        app: APP,
        action: 'greet',
        triggerKind: 'api',
        createdBy: BY,
        permissionedAs: BY,
        ...options,
        input,
        inputJson: JSON.stringify(input),
      })
      return jobId
    },
    claim: (limit, tags = ['default'], worker = 'w1') =>
      claimJobs(deps, { worker, tags, limit, leaseMs: deps.limits.jobLeaseMs }),
    row: async (id) => {
      const row = await db.one(sql`SELECT * FROM jobs WHERE ws = ${WS} AND id = ${id}`)
      if (row === null) throw new Error(`There is no job ${id}.`)
      return row
    },
    ledger: (id) => db.all(sql`SELECT * FROM ledger WHERE job_id = ${id}`),
    expire: async (id) => void (await set(id, 'lease_until')),
    makeDue: async (id) => void (await set(id, 'run_at')),
  }
}
