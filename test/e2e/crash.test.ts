/**
 * kill -9 at every named point of a job's life, and at any time: no acknowledged job is
 * lost, none ends twice, and none is left behind [jobs 2.4, 8.3, 8.7].
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULT_POINTS, type FaultPoint } from '#service/fault-points.ts'
import { openDatabase } from '#store/open-database.ts'
import { isLong, runs } from '../support/runs.ts'
import {
  audit,
  type Folder,
  makeTemplate,
  tryRun,
  untilAllEnded,
  untilOneRuns,
  withCopyOf,
} from './durable-node.ts'
import { auditSlots } from './fleet.ts'

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

const withFolder = (work: (folder: Folder) => Promise<void>): Promise<void> =>
  withCopyOf(template, work)

/** Every job ended with success and was billed once, including those that were never acknowledged. */
const expectAllWell = async (folder: Folder, acknowledged: readonly string[]): Promise<void> => {
  const jobs = await audit(folder)
  for (const id of acknowledged) expect(jobs.has(id), `${id} was lost`).toBe(true)
  for (const job of jobs.values()) expect(job).toMatchObject({ status: 'success', bills: 1 })
}

/** Sends jobs until the node dies or all are sent. */
const sendSome = async (
  node: Parameters<typeof tryRun>[0],
  folder: Folder,
  { action, input }: Readonly<{ action: string; input: object }>,
): Promise<readonly string[]> => {
  const sent = Array.from({ length: 12 }, (_, id) => tryRun(node, folder, action, { ...input, id }))
  return (await Promise.all(sent)).filter((id) => id !== null)
}

const ROUNDS = runs({ short: 3, long: 10 })
/** Acknowledged jobs of a round before the kill is due. */
const SHARE = 16

type Scene = Readonly<{ fault: string; action: string; input: () => object; stops: boolean }>

const sceneOf = (point: FaultPoint): Scene => {
  if (point.startsWith('hand_back')) {
    return {
      fault: `${point}:1`,
      action: 'slow',
      // an absolute time, because the start of a node takes seconds on a busy machine
      input: () => ({ until: Date.now() + 10_000 }),
      stops: true,
    }
  }
  const action = /^(?:step|suspend)/.test(point) ? 'durable' : 'quick'
  return { fault: `${point}:2`, action, input: () => ({}), stops: false }
}

/** In the short form only durable-crash.test.ts kills at the points of durable jobs, with a witness of each step. */
const ELSEWHERE = isLong
  ? /^(?:first_admin|rescue|rotate|fire|flow|event|receive|import|move|push)/
  : /^(?:first_admin|rescue|rotate|fire|flow|event|receive|import|move|push|step|suspend)/

describe.concurrent('kill -9', { timeout: 90_000 }, () => {
  test.each(FAULT_POINTS.filter((point) => !ELSEWHERE.test(point)))(
    'at %s loses nothing and does nothing twice',
    async (point) => {
      await withFolder(async (folder) => {
        const { fault, action, input, stops } = sceneOf(point)
        const env = { SVC_FAULT: fault, SVC_SHUTDOWN_GRACE_S: '0' }
        const doomed = await folder.start({ env })
        const sent = sendSome(doomed, folder, { action, input: input() })
        if (stops) {
          await untilOneRuns(folder)
          void doomed.process.stop()
        }
        const acknowledged = await sent
        expect(await doomed.process.ended).toBeNull()
        const healthy = await folder.start()
        await untilAllEnded(folder)
        await healthy.process.stop()
        await expectAllWell(folder, acknowledged)
      })
    },
  )

  test.each(['rescue_before_commit', 'rescue_committed'] as const)(
    'at %s, while a lost job is taken back',
    async (point) => {
      await withFolder(async (folder) => {
        const first = await folder.start({ env: { SVC_FAULT: 'run_started:1' } })
        const acknowledged = await sendSome(first, folder, { action: 'quick', input: {} })
        expect(await first.process.ended).toBeNull()
        const second = folder.launch({ env: { SVC_FAULT: `${point}:1` } })
        expect(await second.ended).toBeNull()
        const healthy = await folder.start()
        await untilAllEnded(folder)
        await healthy.process.stop()
        await expectAllWell(folder, acknowledged)
      })
    },
  )

  test.each(['fire_before_commit', 'fire_committed'] as const)(
    'at %s fires no slot twice, and has each on record',
    async (point) => {
      await withFolder(async (folder) => {
        const doomed = await folder.start({ env: { SVC_FAULT: `${point}:2` } })
        const made = await fetch(`${doomed.url}/api/w/default/schedules`, {
          method: 'POST',
          headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ app_key: 'crash', action_key: 'quick', cron: '@every 1s' }),
        })
        expect(made.status).toBe(201)
        expect(await doomed.process.ended).toBeNull()
        const healthy = await folder.start()
        await sleep(2_500)
        await healthy.process.stop()
        const db = await openDatabase({ url: folder.databaseUrl })
        const { fired, skipped, jobs, tooSoon } = await auditSlots(db, 1_000).finally(() =>
          db.close(),
        )
        expect(jobs).toBe(fired)
        expect({ skipped, tooSoon }).toEqual({ skipped: 0, tooSoon: 0 })
        expect(fired).toBeGreaterThan(2)
      })
    },
  )

  test(`at any time, under load, ${ROUNDS} times`, async () => {
    const seed = Date.now() % 100_000
    let state = seed
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state % below
    }
    process.stdout.write(`kill -9 at any time: seed ${seed}\n`)
    await withFolder(async (folder) => {
      const acknowledged: string[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const node = await folder.start({ env: { SVC_JOB_MAX_CRASHES: '20' } })
        // a round starts once its share of the load is acknowledged, however long that takes on a slow machine
        const share = acknowledged.length + SHARE
        let isDue = false
        while (node.process.child.exitCode === null && node.process.child.signalCode === null) {
          const sent = Array.from({ length: 8 }, (_, id) => tryRun(node, folder, 'quick', { id }))
          acknowledged.push(...(await Promise.all(sent)).filter((id) => id !== null))
          if (isDue || acknowledged.length < share) continue
          isDue = true
          setTimeout(() => node.process.child.kill('SIGKILL'), random(1_000))
        }
      }
      const healthy = await folder.start({ env: { SVC_JOB_MAX_CRASHES: '20' } })
      await untilAllEnded(folder)
      await healthy.process.stop()
      expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * SHARE)
      await expectAllWell(folder, acknowledged)
    })
  })

  test('three times in the same job ends it as WorkerLost', async () => {
    await withFolder(async (folder) => {
      const env = { SVC_FAULT: 'run_ended:1', SVC_JOB_LEASE_S: '1' }
      const first = await folder.start({ env })
      const id = await tryRun(first, folder, 'quick', { id: 1 })
      await first.process.ended
      for (let crash = 2; crash <= 3; crash += 1) await folder.launch({ env }).ended
      const healthy = await folder.start()
      await untilAllEnded(folder)
      await healthy.process.stop()
      const job = (await audit(folder)).get(id ?? '')
      expect(job).toMatchObject({ status: 'failure', attempt: 3, crashes: 3, bills: 1 })
      expect(job?.result).toContain('WorkerLost')
    })
  })
})

// alone, because a dozen nodes that start at the same time would affect its time
describe('kill -9 alone', { timeout: 60_000 }, () => {
  test('at the default lease: the job runs again within 12 s', async () => {
    await withFolder(async (folder) => {
      const env = { SVC_JOB_LEASE_S: '10' }
      const doomed = await folder.start({ env: { ...env, SVC_FAULT: 'run_ended:1' } })
      const id = await tryRun(doomed, folder, 'quick', { id: 1 })
      await doomed.process.ended
      const killedAt = performance.now()
      const healthy = await folder.start({ env })
      const readyAt = performance.now()
      await untilAllEnded(folder)
      // a node that was slow to start may have missed a part of the lease, or all of it
      const latest = Math.max(killedAt + 12_000, readyAt + 3_000)
      expect(performance.now()).toBeLessThan(latest)
      await healthy.process.stop()
      const job = (await audit(folder)).get(id ?? '')
      expect(job).toMatchObject({ status: 'success', attempt: 2, crashes: 1, bills: 1 })
    })
  })
})
