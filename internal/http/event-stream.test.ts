import { expect, it, vi } from 'vitest'
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
