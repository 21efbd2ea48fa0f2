/** Start timeouts on a node: jobs behind a full limit, and jobs that became late while no node ran [jobs 21]. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { START_TIMEOUT } from '#core/job/start-timeout.ts'
import { type Folder, makeTemplate, type Node } from './durable-node.ts'
import { type NodeCaller, nodeCaller } from './node-caller.ts'

const APP = {
  'app.yaml': `key: push
actions:
  - { key: hold, entrypoint: send.ts, concurrency: { limit: 1, key: all, scope: app, name: sender } }
  - key: send
    entrypoint: send.ts
    startTimeoutS: 1
    concurrency: { limit: 1, key: all, scope: app, name: sender }
  - { key: late, entrypoint: send.ts, startTimeoutS: 1 }
  - { key: unserved, entrypoint: send.ts, startTimeoutS: 1, tag: nowhere }
  - { key: calls, entrypoint: calls.ts }
flows:
  - { key: notify, steps: [{ key: first, action: late }] }
`,
  'send.ts': `export const main = async (ctx) => {
  await ctx.state.set('sent/' + ctx.job.id, true)
  await new Promise((go) => setTimeout(go, ctx.input.ms ?? 0))
  return 'sent'
}
`,
  'calls.ts': `export const main = (ctx) =>
  ctx.call('send', 'unserved', {}).catch(({ name, message }) => ({ name, message }))
`,
}

/** A scheduler trusts the clock after two thirds of a lease. */
const ENV = { SVC_JOB_LEASE_S: '6' }

let folder: Folder
let node: Node
let caller: NodeCaller
beforeAll(async () => {
  folder = await makeTemplate()
  node = await folder.start({ env: ENV })
  caller = nodeCaller(node, folder)
  await caller.deploy(APP)
})
afterAll(async () => {
  await node.process.stop()
  folder.remove()
})

const start = async (path: string, input: object = {}): Promise<string> => {
  const answer = await caller.call('POST', path, JSON.stringify(input))
  const body = z.object({ job_id: z.string().optional(), flow_run_id: z.string().optional() })
  const { job_id: job, flow_run_id: run = '' } = body.parse(await answer.json())
  return job ?? run
}

const ended = z.looseObject({ status: z.string(), completed_at: z.string().nullable() })

const untilEnded = async (path: string) => {
  const deadline = performance.now() + 30_000
  for (;;) {
    const found = ended.parse(await (await caller.call('GET', path)).json())
    if (found.completed_at !== null) return found
    if (performance.now() > deadline) throw new Error(`${path} did not end.`)
    await sleep(50)
  }
}

const wasSent = async (id: string) => {
  const answer = await caller.call('GET', `/state?app=push&key=${encodeURIComponent(`sent/${id}`)}`)
  return z.object({ value: z.unknown() }).parse(await answer.json()).value === true
}

const CANCELED = {
  status: 'canceled',
  result: { name: 'Canceled', message: START_TIMEOUT.reason },
}

describe('a job that does not start within its start timeout', () => {
  it('is canceled while it waits for a limit', async () => {
    const holder = await start('/jobs/run/push/hold', { ms: 60_000 })
    const id = await start('/jobs/run/push/send')
    expect(await untilEnded(`/jobs/${id}`)).toMatchObject({ ...CANCELED, started_at: null })
    expect(await wasSent(id)).toBe(false)
    await caller.call('POST', `/jobs/${holder}/cancel`, '{}')
    await untilEnded(`/jobs/${holder}`)
    expect(await untilEnded(`/jobs/${await start('/jobs/run/push/send')}`)).toMatchObject({
      status: 'success',
      start_by: expect.any(String),
    })
  })

  it('fails the call of a job that waits for it', async () => {
    const id = await start('/jobs/run/push/calls')
    const { status, result } = await untilEnded(`/jobs/${id}`)
    expect({ status, result }).toEqual({ status: 'success', result: CANCELED.result })
  })

  it('does not run when no node ran in between', async () => {
    const dueMs = Date.now() + 3_000
    const at = encodeURIComponent(new Date(dueMs).toISOString())
    const ids: string[] = []
    for (let n = 0; n < 20; n += 1) {
      ids.push(await start(`/jobs/run/push/late?scheduled_for=${at}`))
    }
    const run = await start(`/flows/run/push/notify?scheduled_for=${at}`)
    await node.process.stop()
    // half a second past the start timeout of one second
    await sleep(Math.max(0, dueMs + 1_500 - Date.now()))
    node = await folder.start({ env: ENV })
    caller = nodeCaller(node, folder)
    for (const id of ids) {
      expect(await untilEnded(`/jobs/${id}`)).toMatchObject(CANCELED)
      expect(await wasSent(id)).toBe(false)
    }
    // the run itself has no start timeout; its job is due when the run begins
    expect(await untilEnded(`/flow-runs/${run}`)).toMatchObject({ status: 'completed' })
  })
})
