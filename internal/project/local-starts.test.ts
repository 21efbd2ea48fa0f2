import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createLocalStarts } from './local-starts.ts'

test('a flow run that is still starting when its job is canceled is canceled with it', async () => {
  const job = new AbortController()
  const starts = createLocalStarts({
    app: 'shop',
    prepare: async () => {
      job.abort()
      return async ({ canceled }) => {
        if (!canceled.aborted) await once(canceled, 'abort')
        return { outcome: { kind: 'success', value: 'canceled' }, log: '', ms: 0 }
      }
    },
    targetsOf: () => [],
    onSent: () => 0,
    onEnded: () => undefined,
  })
  const call = { kind: 'flow', target: 'report', number: 1, inputJson: '{}', options: {} } as const
  const ended = await starts.call(call, { chainDepth: 0, canceled: job.signal })
  expect(await ended()).toMatchObject({ value: 'canceled' })
})
