/** A rotation of the instance key fails no job: until a node with the former key ends, it leaves its work to others. */
import { randomBytes } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { createAesKeyring, KEY_BYTES } from '#crypto/aes-keyring.ts'
import type { Keyring } from '#crypto/keyring.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { type AllDeps, createFlowEngine } from '#service/flows/engine.ts'
import { createJobRunner } from '#service/queue/run-job.ts'
import { findDeploymentAction } from '#store/apps/deployments.ts'
import { openFlowCaller } from '../support/flow-caller.ts'
import { closeQueues, openQueue, SUCCESS, startWorker } from '../support/watched-worker.ts'

afterEach(closeQueues)

const otherKeyring = createAesKeyring(randomBytes(KEY_BYTES))

/** A node that goes on with its keyring after `rotate` has given the database a new key. */
const nodeOf = (deps: AllDeps, rotated = false) => {
  let current: Keyring = rotated ? otherKeyring : deps.keyring
  const keyring: Keyring = {
    ...deps.keyring,
    unwraps: (...given) => current.unwraps(...given),
    scoped: (...given) => current.scoped(...given),
  }
  const rotate = (): void => {
    current = otherKeyring
  }
  return { rotate, node: { ...deps, keyring, flows: createFlowEngine(deps) } }
}

test('a job that it claims is handed back and not run', async () => {
  const { deps, enqueue, statusOf, crashesOf } = await openQueue()
  const former = await startWorker(nodeOf(deps, true).node)
  const id = await enqueue()
  await expect.poll(() => former.leased.has(id)).toBe(true)
  await expect.poll(() => former.leased.has(id), { timeout: 5_000 }).toBe(false)
  await former.worker.stop()
  expect([former.started.length, await statusOf(id)]).toEqual([0, 'queued'])
  expect(await crashesOf(id)).toEqual({ crash_count: 0, attempt: 0 })
  await startWorker(deps, { quickRuns: 1 })
  await expect.poll(() => statusOf(id), { timeout: 5_000 }).toBe('success')
})

test('a job of a flow whose end it cannot write is handed back', async () => {
  const flows = [{ key: 'one', steps: [{ key: 'only', action: 'echo' }] }]
  const caller = await openFlowCaller({ flows, actions: { echo: () => 1 } })
  const { node, rotate } = nodeOf(caller.app.deps)
  const former = await startWorker(node)
  const run = await caller.start('one')
  const job = await former.nthStarted(1)
  rotate()
  job.end(SUCCESS)
  const attempts = async () =>
    (await caller.call('GET', `/api/w/default/jobs/${job.id}/attempts`)).json
  await expect.poll(attempts).toMatchObject({ items: [{ outcome: 'handed_back' }] })
  await former.worker.stop()
  await startWorker(caller.app.deps, { quickRuns: 1 })
  await expect
    .poll(async () => (await caller.run(run)).status, { timeout: 5_000 })
    .toBe('completed')
  await caller.app.close()
})

test('a script that starts a flow meanwhile does not fail: its attempt ends', async () => {
  const flows = [{ key: 'other', steps: [{ key: 'only', action: 'echo' }] }]
  const caller = await openFlowCaller({ flows, actions: { echo: () => 1 } })
  const { node, rotate } = nodeOf(caller.app.deps)
  await caller.call('POST', '/api/w/default/jobs/run/shop/echo', {})
  const [job] = await caller.claim()
  if (job === undefined) throw new Error('No job.')
  const action = await findDeploymentAction(node.db, job.deploymentId, job.action)
  if (action === null) throw new Error('No action.')
  const sandbox: Sandbox = {
    name: 'test',
    level: 'runtime',
    run: async (_run, { start }) => {
      const call = {
        kind: 'flow',
        target: 'other',
        inputJson: '{}',
        number: 1,
        options: {},
      } as const
      try {
        await start(call)
        return { kind: 'success', resultJson: 'null' }
      } catch (error) {
        return { kind: 'failure', error: { name: 'Error', message: String(error) } }
      }
    },
    close: async () => undefined,
  }
  const runner = createJobRunner({ ...node, sandbox, baseUrl: 'http://svc.test' })
  rotate()
  const { signal } = new AbortController()
  const ran = runner.run({ job, action, onLog: () => undefined, signal })
  await expect(ran).rejects.toMatchObject({ code: 'instance_key_changed' })
  await caller.app.close()
})
