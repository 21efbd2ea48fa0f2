/**
 * Cancel of a running job on a real node: the script cleans up within its
 * grace period, and a busy loop is killed after it [jobs 7.2].
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Folder, LONG_LEASE, makeTemplate, type Node } from './durable-node.ts'
import { type NodeCaller, nodeCaller } from './node-caller.ts'

const APP = {
  'app.yaml': `key: grace
actions:
  - { key: cleans, entrypoint: cleans.ts, cancelGraceS: 20 }
  - { key: tries, entrypoint: tries.ts, cancelGraceS: 20 }
  - { key: waits, entrypoint: waits.ts, cancelGraceS: 20 }
  - { key: spins, entrypoint: spins.ts, cancelGraceS: 1 }
`,
  'cleans.ts': `export const main = async (ctx) => {
  const aborted = new Promise((go) => ctx.signal.addEventListener('abort', go))
  ctx.log('ready')
  await aborted
  await ctx.state.set('cleaned', ctx.job.id)
  ctx.log('cleaned up')
  return 'discarded'
}
`,
  'tries.ts': `export const main = async (ctx) => {
  const aborted = new Promise((go) => ctx.signal.addEventListener('abort', go))
  const effect = async () => {
    ctx.log('ready')
    await aborted
    throw new Error('aborted')
  }
  await ctx.step('effect', effect, { retry: { maxAttempts: 9, delayMs: 100 } })
}
`,
  'waits.ts': `export const main = async (ctx) => {
  let canceled = ''
  const effect = () => {
    ctx.log('ready')
    throw new Error('busy')
  }
  try {
    await ctx.step('effect', effect, { retry: { maxAttempts: 9, delayMs: 5_000 } })
  } catch ({ name }) {
    canceled = name
  }
  ctx.log(\`threw \${canceled}\`)
}
`,
  'spins.ts': "export const main = (ctx) => { ctx.log('ready'); for (;;) {} }\n",
}

let folder: Folder
let node: Node
let caller: NodeCaller
beforeAll(async () => {
  folder = await makeTemplate()
  node = await folder.start({ env: LONG_LEASE })
  caller = nodeCaller(node, folder)
  await caller.deploy(APP)
})
afterAll(async () => {
  await node.process.stop()
  folder.remove()
})

const logOf = async (id: string): Promise<string> =>
  (await caller.call('GET', `/jobs/${id}/logs`)).text()

const status = z.object({ status: z.string(), result: z.json() })

/** Starts a job, cancels it after its first log line, and waits for its end. */
const cancelRunning = async (action: string) => {
  const started = await caller.call('POST', `/jobs/run/grace/${action}`, '{}')
  const { job_id: id } = z.object({ job_id: z.string() }).parse(await started.json())
  const deadline = performance.now() + 20_000
  while (!(await logOf(id)).includes('ready')) {
    if (performance.now() > deadline) throw new Error('The job never began.')
    await sleep(50)
  }
  const canceledAt = performance.now()
  await caller.call('POST', `/jobs/${id}/cancel`, '{"reason":"enough"}')
  for (;;) {
    const job = status.parse(await (await caller.call('GET', `/jobs/${id}`)).json())
    if (job.status !== 'running') {
      return { id, ...job, ms: performance.now() - canceledAt, log: await logOf(id) }
    }
    if (performance.now() > deadline) throw new Error('The job never ended.')
    await sleep(50)
  }
}

describe('a running job that is canceled', () => {
  it('cleans up, keeps state and log meanwhile, and ends as soon as its script does', async () => {
    const { id, ms, log, ...job } = await cancelRunning('cleans')
    expect(job).toEqual({ status: 'canceled', result: { name: 'Canceled', message: 'enough' } })
    expect(log).toContain('cleaned up')
    expect(ms).toBeLessThan(10_000)
    const state = await caller.call('GET', '/state?app=grace&key=cleaned')
    expect(await state.json()).toMatchObject({ value: id })
  })

  it.each(['tries', 'waits'])('calls the function of a step no second time: %s', async (action) => {
    const { status: ended, ms, log } = await cancelRunning(action)
    expect(ended).toBe('canceled')
    expect(log.match(/ready/g)).toHaveLength(1)
    expect(log).toContain('Canceled')
    expect(ms).toBeLessThan(4_000)
  })

  it('is killed at the end of its grace when it does not end by itself', async () => {
    const { status: ended, ms } = await cancelRunning('spins')
    expect(ended).toBe('canceled')
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(10_000)
  })
})
