import { expect, it, vi } from 'vitest'
import { endWithCredential } from './admission/credential-watch.ts'
import { countParts } from './bodies/count-parts.ts'
import { type StreamEvent, toEventStream } from './event-stream.ts'

it('ends its source when the reader leaves, also while an event waits to be read', async () => {
  const onEnd = vi.fn()
  async function* events(): AsyncGenerator<StreamEvent> {
    try {
      for (let data = 0; ; data += 1) yield { event: 'count', data }
    } finally {
      onEnd()
    }
  }
  const { body } = toEventStream(new AbortController().signal, events)
  const reader = body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await expect.poll(() => onEnd).toHaveBeenCalledOnce()
})

it('takes no event in reserve for a reader that has not read the one before', async () => {
  let taken = 0
  async function* events(): AsyncGenerator<StreamEvent> {
    for (; ; taken += 1) yield { event: 'count', data: taken }
  }
  const { signal } = new AbortController()
  const watched = { signal, stop: () => undefined }
  const { body } = endWithCredential(toEventStream(signal, events), watched)
  const reader = body === null ? null : countParts(body, () => () => undefined).getReader()
  await reader?.read()
  // a source that is read ahead has had several turns for it
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  expect(taken).toBe(0)
  await reader?.read()
  expect(taken).toBe(1)
  await reader?.cancel()
})
