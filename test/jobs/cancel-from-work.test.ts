/** `ctx.cancel`, from the script through the sandbox to the job or the flow run [jobs 15.10]. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rescueJobs } from '#service/queue/rescue-jobs.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import type { ClaimedJob } from '#store/jobs/claimed-job.ts'
import { sql } from '#store/sql.ts'
import { deployTexts } from '../support/deploy-texts.ts'
import { APP, type JobOptions, type Queue } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'

/** Cancels what its input names, and returns each answer or refusal. */
const CANCELS = `export const main = async (ctx) => {
  const results = []
  for (const args of ctx.input.cancels) {
    try { results.push(await ctx.cancel(...args)) }
    catch ({ name, code }) { results.push({ name, code }) }
  }
  return results
}`
const STARTS = `export const main = async ({ startFlow }) => (await startFlow('flow')).flowRunId`
const MANIFEST = `key: ${APP}
name: Cancels
actions:
  - { key: cancels, entrypoint: cancels.js, tag: own }
  - { key: starts, entrypoint: starts.js, tag: own }
  - { key: other, entrypoint: cancels.js, tag: rest }
flows:
  - { key: flow, steps: [{ key: only, action: other }] }
`
const CANCELED = { canceled: true }
const NOT_CANCELED = { canceled: false }
const NOTHING = { name: 'Error', code: 'nothing_to_cancel' }

let queue: Queue
let runner: JobRunner
let close: () => Promise<void>

beforeAll(async () => {
  ;({ queue, runner, close } = await openRunner())
  const files = { 'app.yaml': MANIFEST, 'cancels.js': CANCELS, 'starts.js': STARTS }
  await deployTexts(queue.deps, files)
})
afterAll(() => close())
afterEach(() => queue.db.write([sql`DELETE FROM jobs`, sql`DELETE FROM flow_runs`]))

const claimOne = async (tag: string): Promise<ClaimedJob> => {
  const [job] = await queue.claim(1, [tag])
  if (job === undefined) throw new Error('There was nothing to claim.')
  return job
}

/** Runs the attempt of a job, which stays running in the database. */
const attempt = async (job: ClaimedJob): Promise<unknown> => {
  const action = await runner.findAction(job)
  const { signal } = new AbortController()
  const outcome = await runner.run({ job, action, onLog: () => undefined, signal })
  if (outcome.kind !== 'success') throw new Error(JSON.stringify(outcome))
  return z.json().parse(JSON.parse(outcome.resultJson))
}

const cancel = async (
  cancels: readonly (readonly unknown[])[],
  fields: JobOptions = {},
): Promise<unknown> => {
  await queue.enqueue({ ...fields, action: 'cancels', input: z.json().parse({ cancels }) })
  return attempt(await claimOne('own'))
}

const other = (fields: JobOptions = {}): Promise<string> =>
  queue.enqueue({ ...fields, action: 'other', input: { cancels: [] } })

const jobAt = (id: string) =>
  queue.db.one(sql`SELECT status, cancel_reason AS reason FROM jobs WHERE id = ${id}`)

describe('ctx.cancel', () => {
  it('ends a queued job at once, and once', async () => {
    const id = await other()
    expect(await cancel([[id, { reason: 'Replaced.' }], [id]])).toEqual([CANCELED, NOT_CANCELED])
    expect(await jobAt(id)).toEqual({ status: 'canceled', reason: 'Replaced.' })
  })

  it('marks a running job, whose worker ends it', async () => {
    const id = await other()
    await claimOne('rest')
    expect(await cancel([[id], [id]])).toEqual([CANCELED, CANCELED])
    expect(await jobAt(id)).toMatchObject({
      status: 'running',
      reason: expect.stringMatching(/^Canceled by job:[0-9a-f-]{36}\.$/),
    })
  })

  it('cancels a flow run with its jobs', async () => {
    await queue.enqueue({ action: 'starts' })
    const id = await attempt(await claimOne('own'))
    expect(await cancel([[id], [id]])).toEqual([CANCELED, NOT_CANCELED])
    expect(await queue.db.all(sql`SELECT status FROM jobs WHERE flow_run_id IS NOT NULL`)).toEqual([
      { status: 'canceled' },
    ])
  })

  it('finds nothing that runs as another account', async () => {
    const id = await other({ permissionedAs: 'eve@example.com' })
    const missing = '01a1fd91-3d6b-770e-a570-5f660007cb1b'
    expect(await cancel([[id], [missing], ["'; --"]])).toEqual([NOTHING, NOTHING, NOTHING])
    expect(await jobAt(id)).toMatchObject({ status: 'queued' })
  })

  it('cancels nothing for an attempt that has lost its job', async () => {
    const id = await other()
    const own = await queue.enqueue({ action: 'cancels', input: { cancels: [[id]] } })
    const job = await claimOne('own')
    await queue.expire(own)
    await rescueJobs(queue.deps)
    expect(await attempt(job)).toEqual([{ name: 'Error', code: 'conflict' }])
    expect(await jobAt(id)).toMatchObject({ status: 'queued' })
  })

  it('works for a script that was canceled and cleans up', async () => {
    const id = await other()
    const own = await queue.enqueue({ action: 'cancels', input: { cancels: [[id], [id]] } })
    const job = await claimOne('own')
    await queue.db.write([sql`UPDATE jobs SET cancel_reason = 'Over.' WHERE id = ${own}`])
    expect(await attempt(job)).toEqual([CANCELED, NOT_CANCELED])
    expect(await jobAt(id)).toMatchObject({ status: 'canceled' })
  })

  it('refuses a wrong ID, reason or option', async () => {
    const id = await other()
    const refused = { name: 'TypeError', code: 'invalid' }
    const wrong = [[7], [''], [id, 'text'], [id, { reason: ' ' }], [id, { why: 'x' }]]
    expect(await cancel(wrong)).toEqual(wrong.map(() => refused))
    expect(await jobAt(id)).toMatchObject({ status: 'queued' })
  })
})
