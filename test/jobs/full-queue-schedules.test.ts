/** Schedules of a workspace with a full queue or slow checks do not delay those of others, and the log mentions each once [schedules 5]. */
import { beforeAll, expect, test } from 'vitest'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { AppError } from '#core/error.ts'
import { createFireDuty } from '#scheduler/duties/fire-schedules.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { createLeadership } from '#service/nodes/lead.ts'
import { createClockWatch } from '#service/nodes/watch-clock.ts'
import { fireDueSchedules, fireWaitingSchedules } from '#service/schedules/fire-schedules.ts'
import { createFireTasks, type FireTasks } from '#service/schedules/fire-tasks.ts'
import { createSchedule } from '#service/schedules/manage-schedule.ts'
import { sql } from '#store/sql.ts'
import { deployActions } from '../support/deploy-action.ts'
import { openQueue, type Queue, WS } from '../support/open-queue.ts'
import { openTemporaryDatabase } from '../support/temporary-database.ts'

const SCHEDULES = 120
const OTHER = 'other'
const TURNS = 10

let queue: Queue
beforeAll(async () => {
  const opened = await openTemporaryDatabase()
  queue = await openQueue(opened.db)
  await queue.deploy()
  await queue.db.write([
    sql`INSERT INTO workspaces (id, name, wrapped_key, created_at)
       SELECT ${OTHER}, 'Other', wrapped_key, 0 FROM workspaces WHERE id = ${WS}`,
  ])
  await deployActions(queue.deps, [{ ws: OTHER, app: 'hello', key: 'greet' }])
  return opened.close
})

const makeDue = async (ws: string): Promise<void> => {
  const request = {
    app: 'hello',
    action: 'greet',
    flow: null,
    cron: '@every 1h',
    timezone: 'UTC',
    input: {},
    enabled: true,
    overlap: 'allow' as const,
  }
  const { id } = await createSchedule(queue.deps, { ws, actor: CLI_ACTOR, request })
  await queue.db.write([sql`UPDATE schedules SET next_fire_at = 1 WHERE id = ${id}`])
}

const countJobs = async (ws: string): Promise<number> =>
  Number((await queue.db.one(sql`SELECT count(*) AS n FROM jobs WHERE ws = ${ws}`))?.n)

test('120 of them wait, another workspace’s fires, and each is logged once', async () => {
  let isFull = true
  let looks = 0
  const gate = {
    ...queue.deps.gate,
    pass: async (ws: string) => {
      if (ws !== WS || !isFull) return () => undefined
      looks += 1
      throw new AppError('rate_limited', 'The queue is full.', { code: 'queue_full' })
    },
  }
  const said: string[] = []
  const say = (message: string): void => {
    said.push(message)
  }
  let now = 0
  const monotonicNow = () => now
  const { deps } = queue
  const duty = createFireDuty({
    ...deps,
    gate,
    monotonicNow,
    log: { debug: () => undefined, info: say, warn: say, error: say },
    clock: createClockWatch(deps, {
      steadyNow: () => performance.now(),
      node: 'here',
      onJump: () => undefined,
    }),
    leadership: createLeadership(deps, {
      name: 'scheduler',
      owner: 'here',
      leaseMs: 60_000,
      monotonicNow,
      onElected: () => undefined,
    }),
  })
  const turn = async (): Promise<void> => {
    now += 1_000
    await duty.runOnce(new AbortController().signal)
    await duty.settled?.()
  }
  for (let at = 0; at < SCHEDULES; at += 1) await makeDue(WS)
  await makeDue(OTHER)
  for (let at = 0; at < TURNS; at += 1) await turn()
  expect(await countJobs(OTHER)).toBe(1)
  expect(said).toHaveLength(SCHEDULES)
  // once for each schedule that began to wait, then once per turn for all of them
  expect(looks).toBeLessThanOrEqual(SCHEDULES + TURNS)

  isFull = false
  for (let at = 0; at < TURNS; at += 1) await turn()
  expect(await countJobs(WS)).toBe(SCHEDULES)
  expect(said.filter((message) => message.includes('no longer waits'))).toHaveLength(SCHEDULES)
  expect(said).toHaveLength(2 * SCHEDULES)
})

test.each<[string, (deps: FlowDeps, tasks: FireTasks) => Promise<unknown>]>([
  ['are due', (deps, tasks) => fireDueSchedules(deps, { graceMs: 0, tasks })],
  ['wait', (deps, tasks) => fireWaitingSchedules(deps, { afterWs: '', tasks })],
])(
  'those that %s and whose checks take long do not delay another workspace',
  async (kind, fire) => {
    await queue.db.write([sql`DELETE FROM schedules`])
    for (const ws of [WS, OTHER]) await makeDue(ws)
    const waitingSince = kind === 'wait' ? 1 : null
    await queue.db.write([sql`UPDATE schedules SET waiting_since = ${waitingSince}`])
    const countBoth = async () => [await countJobs(WS), await countJobs(OTHER)]
    const [ofSlow = 0, ofOther = 0] = await countBoth()

    const checks = Promise.withResolvers<void>()
    const pass = async (ws: string) => {
      if (ws === WS) await checks.promise
      return () => undefined
    }
    const tasks = createFireTasks({ patienceMs: 10 })
    const turn = () => fire({ ...queue.deps, gate: { ...queue.deps.gate, pass } }, tasks)
    await turn()
    await expect.poll(countBoth).toEqual([ofSlow, ofOther + 1])
    // their workspace has no second task
    await turn()
    checks.resolve()
    await tasks.settled()
    expect(await countBoth()).toEqual([ofSlow + 1, ofOther + 1])
    expect(tasks.take().map(({ outcome }) => outcome)).toEqual(
      kind === 'wait' ? ['fired', 'fired'] : ['fired'],
    )
  },
)
