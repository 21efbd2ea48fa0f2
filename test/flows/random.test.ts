/** Random flows through the queue and the database, compared with a plain interpreter of the same rules. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FlowEvent } from '#core/flow/run.ts'
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { endWaits } from '#service/flows/end-waits.ts'
import { addMember } from '#service/people/manage-member.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import { sql } from '#store/sql.ts'
import { WS } from '../support/create-test-app.ts'
import { answersOf, definitions, inputs, worldOf } from '../support/flow-arbitraries.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller, type SeenRun } from '../support/flow-caller.ts'
import { interpret } from '../support/plain-flow.ts'
import { runs } from '../support/runs.ts'

let world = worldOf(0, 0)
const act =
  (key: string) =>
  (input: JsonValue, { flow }: { flow: { attempt: number } | null }): JsonValue => {
    const outcome = world({ target: { kind: 'action', key }, input }, flow?.attempt ?? 1)
    if (outcome.kind === 'success') return outcome.value
    throw Object.assign(new Error(outcome.error.message), { name: outcome.error.name })
  }

let caller: FlowCaller
let token = ''
beforeAll(async () => {
  caller = await openFlowCaller({
    actions: { a: act('a'), b: act('b'), c: act('c') },
    flows: [],
  })
  const email = 'bea@example.com'
  await createUser(caller.app.deps, { email, password: null, isSuperAdmin: false })
  await addMember(caller.app.deps, { ws: WS, email, role: 'member' })
  token = await caller.app.token(['flows:resume'], { email })
})
afterAll(() => caller.app.close())

type Answer = (index: number) => FlowEvent

const finish = async (id: string, answer: Answer): Promise<SeenRun> => {
  for (;;) {
    await caller.work()
    const run = await caller.run(id)
    if (run.completed_at !== null) return run
    const event = answer(run.current_step?.index ?? 0)
    if (event.kind === 'wait_timed_out') await timeOut(id)
    else if (event.kind === 'event_received') await send(id, event.data)
    else await decide(id, event)
  }
}

/** Ends the wait of a run. A reminder is due first, so that its job runs during the wait. */
const timeOut = async (id: string): Promise<void> => {
  const { deps } = caller.app
  await deps.db.write([
    sql`UPDATE flow_runs SET remind_at = 1 WHERE ws = ${WS} AND id = ${id} AND remind_at IS NOT NULL`,
  ])
  await endWaits(deps)
  await caller.work()
  await deps.db.write([
    sql`UPDATE flow_runs SET wait_until = 1 WHERE ws = ${WS} AND id = ${id} AND completed_at IS NULL`,
  ])
  await endWaits(deps)
}

const send = async (id: string, data: JsonValue): Promise<void> => {
  const { deps } = caller.app
  const wait = await deps.db.one(
    sql`SELECT name, key FROM event_waits WHERE owner_id = ${id} AND status = 'open'`,
  )
  const [name, key] = [String(wait?.name), wait?.key ?? null]
  await sendEvent(
    { ...deps, ...enqueueDepsOf(deps) },
    {
      ws: WS,
      name,
      key: key === null ? null : String(key),
      data,
      id: null,
      sentBy: 'test',
    },
  )
}

const decide = async (id: string, event: FlowEvent): Promise<void> => {
  const isRejected = event.kind === 'rejected'
  const values = event.kind === 'approved' ? event.values : {}
  await caller.call(
    'POST',
    `${FLOW_RUNS}/${id}/${isRejected ? 'reject' : 'approve'}`,
    isRejected ? {} : { values },
    { token },
  )
}

describe('the service', () => {
  it('does what a plain interpreter does', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        definitions,
        inputs,
        fc.nat(),
        fc.nat(3),
        async (definition, input, seed, failing) => {
          world = (slot, attempt) =>
            slot.target.kind === 'action'
              ? worldOf(seed, failing)(slot, attempt)
              : { kind: 'success', value: slot.input }
          // the flow below returns its input
          const below = { key: 'g', steps: [{ key: 'g', kind: 'forloop', action: 'a', items: [] }] }
          await caller.deploy([definition, below])
          const id = await caller.start('f', input)
          const answer = answersOf(definition, seed, { by: 'bea@example.com' })
          const run = await finish(id, answer)
          const expected = interpret(definition, input, {
            world: (slot, attempt) =>
              slot.target.kind === 'flow' ? { kind: 'success', value: [] } : world(slot, attempt),
            answer,
          })
          expect(run.status).toBe(expected.status)
          if (expected.status === 'completed') expect(run.result).toEqual(expected.result)
          const ended = run.steps.flatMap((step, index) =>
            step.status === 'pending' || ['undo', 'failure_module'].includes(step.kind)
              ? []
              : [[index, step.status] as const],
          )
          expect(ended).toEqual([...expected.steps].map(([index, { status }]) => [index, status]))
          const late = sql`SELECT s.key FROM flow_steps s JOIN flow_runs r ON r.id = s.run_id
            WHERE s.completed_at > r.completed_at OR s.started_at > s.completed_at`
          expect(await caller.app.deps.db.all(late)).toEqual([])
          if (expected.errors.length > 0) {
            expect(expected.errors).toContain(isJsonObject(run.error) ? run.error.name : null)
          }
        },
      ),
      { numRuns: runs({ short: 100, long: 300 }) },
    )
  })
})
