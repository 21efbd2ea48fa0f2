/** Values that one database accepts and the other does not [flows 12.2]: a run never waits for what cannot be written. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#store/sql.ts'
import { APP_BACKENDS, type AppBackend } from '../support/app-backends.ts'
import { FLOW_RUNS, type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

/** Random, so that it does not compress well. */
const large = (bytes: number): string => randomBytes(bytes).toString('base64')

const each = (key: string, more: object = {}) => ({
  key,
  steps: [
    { key: 'all', kind: 'forloop_parallel', action: 'large', items: [0, 1, 2], ...more },
    { key: 'then', action: 'after', input: {} },
  ],
})

describe.each(APP_BACKENDS)('large values, on %s', (name, open) => {
  let caller: FlowCaller
  let place: AppBackend
  beforeAll(async () => {
    place = await open()
    caller = await openFlowCaller({
      actions: {
        large: () => large(2_250_000),
        after: () => 'done',
        rows: () => Array.from({ length: 70 }, () => large(48_000)),
        take: () => null,
      },
      flows: [
        {
          key: 'rows',
          steps: [
            { key: 'list', action: 'rows' },
            // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of a flow
            { key: 'each', kind: 'forloop', action: 'take', items: '${results.list}' },
          ],
        },
        each('joined'),
        each('tolerant', { continueOnError: true }),
        { key: 'above', steps: [{ key: 'sub', kind: 'subflow', subflow: 'joined' }] },
      ],
      app: place.app,
    })
  })
  afterAll(async () => {
    await caller.app.close()
    await place.close()
  })

  it('of items that wait may take more than one value together', async () => {
    const id = await caller.start('rows')
    const [list] = await caller.claim()
    if (list === undefined) throw new Error('The run has not begun.')
    expect(await caller.perform(list)).toBe('success')
    const { db } = caller.app.deps
    const waiting = sql`SELECT count(*) AS n FROM flow_slots WHERE run_id = ${id}`
    expect(await db.one(waiting)).toMatchObject({ n: 69 })
    await caller.call('POST', `${FLOW_RUNS}/${id}/cancel`)
  })

  it.each(['joined', 'tolerant', 'above'])('of 9 MB, joined, end the run of %s', async (flow) => {
    const id = await caller.start(flow)
    await caller.work()
    const { status, result, error } = await caller.run(id)
    if (name === 'a file') {
      expect({ status, result }).toEqual({ status: 'completed', result: 'done' })
      return
    }
    expect({ status, error }).toMatchObject({
      status: 'failed',
      error: { name: 'FlowDataTooLarge', message: expect.stringContaining('at most 5.0 MB') },
    })
  })
})
