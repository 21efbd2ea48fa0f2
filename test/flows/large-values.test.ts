/** Values that one database accepts and the other does not [flows 12.2]: a run never waits for what cannot be written. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APP_BACKENDS, type AppBackend } from '../support/app-backends.ts'
import { type FlowCaller, openFlowCaller } from '../support/flow-caller.ts'

/** Random, so that it does not compress well. */
const large = (bytes: number): string => randomBytes(bytes).toString('base64')

const each = (key: string, more: object = {}) => ({
  key,
  steps: [
    { key: 'all', kind: 'forloop_parallel', action: 'large', items: [0, 1, 2], ...more },
    { key: 'then', action: 'after', input: {} },
  ],
})

describe.each(APP_BACKENDS)('joined results of 9 MB, on %s', (name, open) => {
  let caller: FlowCaller
  let place: AppBackend
  beforeAll(async () => {
    place = await open()
    caller = await openFlowCaller({
      actions: { large: () => large(2_250_000), after: () => 'done' },
      flows: [
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

  it.each(['joined', 'tolerant', 'above'])('end the run of %s', async (flow) => {
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
