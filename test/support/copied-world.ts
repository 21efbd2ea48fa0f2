/** A workspace with objects of most kinds, in a database with another workspace that must never appear in a copy. */

import { hashBundle } from '#bundle/bundle-hash.ts'
import { runSteps } from '#bundle/steps.ts'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { issueToken } from '#service/access/issue-token.ts'
import { openAppState, requireStateApp } from '#service/apps/app-state.ts'
import type { AllDeps } from '#service/flows/engine.ts'
import { startRun } from '#service/flows/start-run.ts'
import { addMember } from '#service/people/manage-member.ts'
import { enqueueDepsOf, enqueueJob } from '#service/queue/enqueue-job.ts'
import { createSchedule } from '#service/schedules/manage-schedule.ts'
import { setVariable } from '#service/secrets/set-secret.ts'
import { createUser, createWorkspace } from '#service/workspaces/create-workspace.ts'
import { insertBundle } from '#store/apps/bundles.ts'
import { changeRefs, insertPack, insertPackChunk } from '#store/apps/git-repositories.ts'
import { insertLogChunk } from '#store/jobs/log.ts'
import { sql, TRUE } from '#store/sql.ts'
import { claimJobs } from './claim-jobs.ts'
import { completeJob } from './complete-job.ts'
import { deployActions } from './deploy-action.ts'
import { QUEUE_ADMIN } from './open-queue.ts'

export const COPIED = 'acme'
export const SECRET = 'the secret of acme'
/** So many jobs, of two rows each, that an import takes more than one batch. */
export const WAITING = 200
export const COPIED_MEMBER = 'member@acme.example'

const FLOWS = [
  {
    key: 'ask',
    steps: [
      { key: 'first', action: 'greet' },
      { key: 'ok', kind: 'approval', approval: { allowSelfApproval: true } },
      { key: 'last', action: 'greet' },
    ],
  },
]

/** Stores bundles by the hash of their content, as a deployment does. */
const useRealBundle = async ({ db }: AllDeps, deployment: string): Promise<void> => {
  const bundle = { code: `export const main = () => '${deployment}'`, sourceMap: '{}' }
  const hash = runSteps(hashBundle(bundle))
  await db.write([
    insertBundle(hash, bundle),
    sql`UPDATE deployment_actions SET bundle_hash = ${hash} WHERE deployment_id = ${deployment}`,
    sql`DELETE FROM bundles WHERE hash = ${deployment}`,
  ])
}

export type CopiedWorld = Readonly<{
  /** Tokens of a member and of a super admin. */
  token: string
  adminToken: string
  runId: string
  enqueue: (key: string, delayMs?: number) => Promise<string>
  /** Claims and ends the queued jobs. @returns the number of jobs */
  work: () => Promise<number>
}>

export const queueOf = (deps: AllDeps): Pick<CopiedWorld, 'enqueue' | 'work'> => ({
  enqueue: async (name, delayMs = 0) => {
    const input = { name }
    const { jobId } = await enqueueJob(enqueueDepsOf(deps), {
      ws: COPIED,
      app: 'shop',
      action: 'greet',
      triggerKind: 'api',
      createdBy: COPIED_MEMBER,
      permissionedAs: COPIED_MEMBER,
      input,
      inputJson: JSON.stringify(input),
      delayMs,
    })
    return jobId
  },
  work: async () => {
    let done = 0
    for (;;) {
      const jobs = await claimJobs(deps, {
        worker: 'w1',
        tags: ['default'],
        limit: 100,
        leaseMs: 60_000,
      })
      if (jobs.length === 0) return done
      for (const job of jobs) {
        const logs = [
          insertLogChunk({ claim: job, seq: 0, bytes: new TextEncoder().encode('x\n') }),
        ]
        const outcome = { kind: 'success', resultJson: '"done"' } as const
        await completeJob(deps, { job, outcome, retry: null, logs })
        done += 1
      }
    }
  },
})

/** Stores a repository after a push, with one pack in two chunks. */
const storeRepository = async ({ db }: AllDeps): Promise<void> => {
  const repository = { ws: COPIED, repositoryId: 'repository' }
  const pack = { ...repository, name: 'a'.repeat(40) }
  await db.write([
    insertPack({ ...pack, bytes: 3 }),
    insertPackChunk(pack, 0, new Uint8Array([1, 2])),
    insertPackChunk(pack, 1, new Uint8Array([3])),
  ])
  const refs = new Map([['refs/heads/main', 'b'.repeat(40)]])
  const first = { follows: null, isExpected: TRUE, pushId: 'push' }
  await db.write(changeRefs({ ...repository, ...first, app: 'shop', refs, packs: [pack.name] }))
}

/** Fills the workspace: ended, waiting and running jobs, a waiting flow run, a schedule, credentials, state, a secret. */
export const fillCopiedWorld = async (deps: AllDeps): Promise<CopiedWorld> => {
  const actor = { ...CLI_ACTOR, identity: QUEUE_ADMIN }
  await createWorkspace(deps, { id: COPIED, name: 'Acme' })
  await createUser(deps, { email: COPIED_MEMBER, password: null, isSuperAdmin: false })
  await addMember(deps, { ws: COPIED, email: COPIED_MEMBER, role: 'admin' })
  const first = { ws: COPIED, app: 'shop', key: 'greet' }
  await useRealBundle(deps, await deployActions(deps, [first], FLOWS))
  await useRealBundle(deps, await deployActions(deps, [{ ws: 'default', app: 'own', key: 'x' }]))
  await storeRepository(deps)
  await setVariable(deps, { ws: COPIED, key: 'KEY', value: SECRET, isSecret: true, actor })
  await openAppState(deps, await requireStateApp(deps, COPIED, 'shop')).set('k', '{"n":1}')
  const issue = async (email: string): Promise<string> => {
    const request = { ws: COPIED, email, label: 't', scopes: ['*'], isAdmin: false }
    return (await issueToken(deps, { ...request, expiresInDays: null, actor })).text
  }
  const [token, adminToken] = [await issue(COPIED_MEMBER), await issue(QUEUE_ADMIN)]
  const { enqueue, work } = queueOf(deps)
  for (let n = 0; n < 5; n += 1) await enqueue(`ended-${n}`)
  const started = await startRun(deps, {
    ws: COPIED,
    app: 'shop',
    flow: 'ask',
    input: { order: 7 },
    triggerKind: 'api',
    createdBy: COPIED_MEMBER,
    permissionedAs: COPIED_MEMBER,
  })
  await work()
  await enqueue('lost')
  // a worker that does not come back
  await claimJobs(deps, { worker: 'w2', tags: ['default'], limit: 1, leaseMs: 1 })
  const sleeper = await enqueue('sleeper')
  await claimJobs(deps, { worker: 'w2', tags: ['default'], limit: 1, leaseMs: 60_000 })
  const future = Date.now() + 3_600_000
  await deps.db.write([
    sql`UPDATE jobs SET status = 'queued', ready = 0, lease_until = NULL, run_at = ${future}, suspended_kind = 'sleep',
      suspended_name = 'nap', suspended_until = ${future} WHERE ws = ${COPIED} AND id = ${sleeper}`,
  ])
  await Promise.all(Array.from({ length: WAITING }, (_, n) => enqueue(`waiting-${n}`)))
  await enqueue('later', 3_600_000)
  await createSchedule(deps, {
    ws: COPIED,
    actor,
    request: {
      app: 'shop',
      action: 'greet',
      flow: null,
      cron: '* * * * *',
      timezone: 'UTC',
      input: {},
      enabled: true,
      overlap: 'allow',
    },
  })
  await deps.db.write([
    sql`UPDATE workspaces SET notify = ${JSON.stringify([{ on: ['approval_waiting'], to: { email: 'a@acme.example' } }])}
      WHERE id = ${COPIED}`,
    sql`UPDATE schedules SET next_fire_at = 1 WHERE ws = ${COPIED}`,
  ])
  return { token, adminToken, runId: started?.runId ?? '', enqueue, work }
}
