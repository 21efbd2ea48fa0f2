/** The network to sqld fails in each of its ways under load: nothing acknowledged is lost, and nothing is done twice. */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createChance } from '../chaos/random.ts'
import { type ProxyFault, startFaultProxy } from '../support/fault-proxy.ts'
import { runs } from '../support/runs.ts'
import { startSqld } from '../support/sqld.ts'
import { audit, makeTemplate, tryRun, untilAllEnded } from './durable-node.ts'

const FAULTS: readonly ProxyFault[] = ['delay', 'cut_answer', 'end_answer', 'half_open', 'refuse']
/** Each fault occurs once, or twice in the long form. */
const ROUNDS = FAULTS.length * runs({ short: 1, long: 2 })

test('a network that delays, cuts, falls silent and forgets connections', {
  timeout: 180_000,
}, async () => {
  const seed = Date.now() % 1_000_000
  process.stdout.write(`network faults: seed ${seed}\n`)
  const chance = createChance(seed)
  const sqld = await startSqld()
  const proxy = await startFaultProxy(sqld.httpUrl)
  const env = { SVC_DATABASE_URL: proxy.url, SVC_JOB_MAX_CRASHES: '50' }
  const direct = { SVC_DATABASE_URL: sqld.httpUrl }
  const folder = { ...(await makeTemplate(direct)), databaseUrl: sqld.httpUrl }
  try {
    const node = await folder.start({ env })
    const acknowledged: string[] = []
    let isLoading = true
    const load = Promise.all(
      Array.from({ length: 6 }, async (_, caller) => {
        for (let id = 0; isLoading; id += 1) {
          const job = await tryRun(node, folder, 'quick', { id: caller * 100_000 + id })
          if (job !== null) acknowledged.push(job)
          await sleep(10)
        }
      }),
    )
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(chance.between(300, 900))
      proxy.set(FAULTS[round % FAULTS.length] ?? 'delay')
      await sleep(chance.between(300, 2_500))
      proxy.set('none')
    }
    proxy.forget()
    const before = acknowledged.length
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 10), 60_000)
    // wait for enough load, however slow the machine is
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(50), 60_000)
    isLoading = false
    await load
    await untilAllEnded(folder, 60_000)
    expect(await node.process.stop()).toBe(0)
    const jobs = await audit(folder)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    for (const id of acknowledged)
      expect(jobs.get(id)).toMatchObject({ status: 'success', bills: 1 })
    for (const job of jobs.values()) {
      expect(job).toMatchObject({ status: 'success', bills: 1 })
      expect(JSON.parse(job.result)).toMatchObject({ attempt: job.attempt })
    }
  } finally {
    folder.remove()
    await proxy.close()
    await sqld.close()
  }
})
