/**
 * kill -9 at every named point of the transitions of durable jobs and events: a finished
 * step never runs again, no event leaves a job asleep, and each called job is started once.
 * A witness outside svc sees each run of a step [durable 1.3, 3.1].
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULT_POINTS } from '#service/fault-points.ts'
import { openDatabase } from '#store/open-database.ts'
import { auditDurable } from '../chaos/audit/durable.ts'
import { isBroken, printFindings } from '../chaos/audit/finding.ts'
import { readRunRows } from '../chaos/audit/flows.ts'
import { readJobRows } from '../chaos/audit/job-rows.ts'
import { createDurableLoad } from '../chaos/load/durable.ts'
import { createChance } from '../chaos/random.ts'
import { deployApp } from '../chaos/setting.ts'
import { startWitness, type Witness } from '../chaos/witness.ts'
import { isLong } from '../support/runs.ts'
import { type Folder, makeTemplate, type Node, untilAllEnded, withCopyOf } from './durable-node.ts'

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

/** Each takes three or four guest processes, because it is suspended and loses its node. */
const JOBS = isLong ? 10 : 6
/** This seed generates an event of each kind, and two events that come before their wait. */
const SEED = 504
/** Without confinement, so that scripts can reach the witness. */
const ENV = {
  SVC_SANDBOX: 'node',
  SVC_SANDBOX_MIN_LEVEL: 'none',
  SVC_JOB_MAX_CRASHES: '20',
  SVC_RATE_RUN_PER_S: '0',
}

/** Sends jobs and events to the node that currently runs. */
const openLoad = (folder: Folder, witness: Witness) => {
  let up: Node | null = null
  let isOver = false
  const pickServer = async (): Promise<Node | null> => {
    if (up === null) await sleep(20)
    return up
  }
  const call = async (
    { url }: Node,
    path: string,
    { method = 'GET', body, headers = {} }: RequestInit & { headers?: Record<string, string> } = {},
  ) => {
    try {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${folder.token}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      })
      return { status: answer.status, json: await answer.json() }
    } catch {
      return { status: 0, json: null }
    }
  }
  const { ledger, ask, answer } = createDurableLoad({
    caller: { ws: 'default', pickServer, call },
    chance: createChance(SEED),
    witness,
    everyMs: 20,
    isOver: () => ledger.requested.size >= JOBS,
    isSettled: () => isOver,
  })
  return {
    ledger,
    ask,
    answer,
    use: (node: Node | null) => {
      up = node
    },
    end: () => {
      isOver = true
    },
  }
}

/** @throws {Error} the node did not pass its fault point often enough within 40 s */
const untilKilled = async (
  { process }: Node,
  { ledger }: ReturnType<typeof openLoad>,
  { steps }: Witness,
): Promise<void> => {
  const giveUp = new AbortController()
  const late = sleep(40_000, 'late' as const, { signal: giveUp.signal }).catch(
    () => 'late' as const,
  )
  const code = await Promise.race([process.ended, late])
  giveUp.abort()
  const seen = `${ledger.acknowledged.size} jobs and ${ledger.sent.size} events acknowledged, ${steps.length} runs of steps`
  expect(code, `The node should be killed. ${seen}.`).toBeNull()
}

/** @throws {Error} a job was not acknowledged within 20 s */
const untilAcknowledged = async ({ ledger }: ReturnType<typeof openLoad>): Promise<void> => {
  const deadline = performance.now() + 20_000
  while (ledger.acknowledged.size < JOBS) {
    if (performance.now() > deadline) {
      throw new Error(`${ledger.acknowledged.size} jobs were acknowledged.`)
    }
    await sleep(50)
  }
}

const expectAllWell = async (
  folder: Folder,
  witness: Witness,
  { ledger: durable }: ReturnType<typeof openLoad>,
): Promise<void> => {
  const db = await openDatabase({ url: folder.databaseUrl })
  try {
    const jobs = await readJobRows(db)
    const input = { ledgers: { durable }, steps: witness.steps, witness }
    const findings = await auditDurable(input, { jobs, runs: await readRunRows(db) }, db)
    expect(findings.filter(isBroken), printFindings(findings)).toEqual([])
    expect(durable.acknowledged.size).toBe(JOBS)
    expect(jobs.filter(({ action }) => action === 'durable')).toHaveLength(JOBS)
    expect(jobs.filter(({ status, bills }) => status !== 'success' || bills !== 1)).toEqual([])
  } finally {
    await db.close()
  }
}

describe.concurrent('kill -9', { timeout: 90_000 }, () => {
  const points = FAULT_POINTS.filter((point) => /^(?:step|suspend|event|receive)/.test(point))
  const others = FAULT_POINTS.filter((point) => /^(?:claim|run|complete)/.test(point))
  // only few events come before their wait
  const passesOf = (point: string): readonly number[] => {
    if (point.startsWith('receive')) return isLong ? [1, 2] : [1]
    return isLong ? [1, 3, 6, 9] : [2]
  }
  const tried = isLong ? [...points, ...others] : points
  test.each(tried.flatMap((point) => passesOf(point).map((pass) => [point, pass] as const)))(
    'at %s, pass %i, repeats no step and loses no wake-up',
    async (point, pass) => {
      const witness = await startWitness()
      await withCopyOf(template, async (folder) => {
        const doomed = await folder.start({ env: { ...ENV, SVC_FAULT: `${point}:${pass}` } })
        await deployApp({ ws: 'default', token: folder.token }, doomed, witness.port)
        const load = openLoad(folder, witness)
        load.use(doomed)
        const loads = Promise.all([load.ask(), load.answer()])
        await untilKilled(doomed, load, witness)
        load.use(null)
        const healthy = await folder.start({ env: ENV })
        load.use(healthy)
        await untilAcknowledged(load)
        await untilAllEnded(folder, 45_000)
        load.end()
        await loads
        await healthy.process.stop()
        await expectAllWell(folder, witness, load)
      }).finally(witness.close)
    },
  )
})
