/** Random flows through the queue and the database, against the plain interpreter of the same rules. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonValue } from '#core/json.ts'
import { createUser } from '#service/create-workspace.ts'
import { addMember } from '#service/manage-member.ts'
import { WS } from '../support/create-test-app.ts'
import { definitions, inputs, worldOf } from '../support/flow-arbitraries.ts'
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

const finish = async (id: string, seed: number): Promise<SeenRun> => {
  for (;;) {
    await caller.work()
    const run = await caller.run(id)
    if (run.status !== 'waiting_approval') return run
    const index = run.current_step?.index ?? 0
    const isRejected = (seed + index) % 4 === 0
    await caller.call(
      'POST',
      `${FLOW_RUNS}/${id}/${isRejected ? 'reject' : 'approve'}`,
      isRejected ? {} : { values: { field: index } },
      { token },
    )
  }
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
          // the flow below hands its input back
          const below = { key: 'g', steps: [{ key: 'g', kind: 'forloop', action: 'a', items: [] }] }
          await caller.deploy([definition, below])
          const id = await caller.start('f', input)
          const run = await finish(id, seed)
          const expected = interpret(definition, input, {
            world: (slot, attempt) =>
              slot.target.kind === 'flow' ? { kind: 'success', value: [] } : world(slot, attempt),
            answer: (index) =>
              (seed + index) % 4 === 0
                ? { kind: 'rejected', by: 'bea@example.com', reason: null }
                : { kind: 'approved', values: { field: index } },
          })
          expect(run.status).toBe(expected.status)
          if (expected.status === 'completed') expect(run.result).toEqual(expected.result)
          const ended = run.steps.flatMap((step, index) =>
            step.status === 'pending' || ['undo', 'failure_module'].includes(step.kind)
              ? []
              : [[index, step.status] as const],
          )
          expect(ended).toEqual([...expected.steps].map(([index, { status }]) => [index, status]))
          if (expected.errors.length > 0) {
            expect(expected.errors).toContain(isJsonObject(run.error) ? run.error.name : null)
          }
        },
      ),
      { numRuns: runs({ short: 100, long: 300 }) },
    )
  })
})
