import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AppError, forbidden } from '#core/error.ts'
import { createCredentialWatch, endWithCredential } from './credential-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('asks once for all streams of a credential, and not after the last has stopped', async () => {
  const { watch } = createCredentialWatch(1_000)
  const check = vi.fn(async () => undefined)
  const streams = Array.from({ length: 100 }, () => watch('token a', check))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(check).toHaveBeenCalledTimes(3)
  for (const { stop } of streams) {
    stop()
    stop()
  }
  await vi.advanceTimersByTimeAsync(3_000)
  expect(check).toHaveBeenCalledTimes(3)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['unauthenticated', new AppError('unauthenticated', 'Revoked.'), true],
  ['forbidden', forbidden('No member.'), true],
  ['a database that is away', new AppError('unavailable', 'Away.'), false],
  ['anything else', new Error('broken'), false],
])('ends by %s: %s %s', async (_, error, ends) => {
  const { watch } = createCredentialWatch(1_000)
  const watched = watch('token a', async () => {
    throw error
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(watched.signal.aborted).toBe(ends)
  watched.stop()
})

const neverEnding = () => {
  const cancel = vi.fn()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
    cancel,
  })
  return {
    cancel,
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  }
}

it('closes the body and cancels its source when the credential ends', async () => {
  const ended = new AbortController()
  const stop = vi.fn()
  const { cancel, response } = neverEnding()
  const answer = endWithCredential(response, { signal: ended.signal, stop })
  const reader = answer.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  const next = reader?.read()
  ended.abort()
  expect((await next)?.done).toBe(true)
  expect(cancel).toHaveBeenCalledOnce()
  expect(stop).toHaveBeenCalled()
})

it('closes the body of a reader that takes nothing', async () => {
  const ended = new AbortController()
  const { response, cancel } = neverEnding()
  const answer = endWithCredential(response, { signal: ended.signal, stop: () => undefined })
  ended.abort()
  const reader = answer.body?.getReader()
  const seen: boolean[] = []
  for (let done = false; !done; seen.push(done)) done = (await reader?.read())?.done ?? true
  expect(seen.at(-1)).toBe(true)
  expect(cancel).toHaveBeenCalledOnce()
})

it('stops watching when the caller leaves, and when the source has ended', async () => {
  const stop = vi.fn()
  const left = neverEnding()
  const answer = endWithCredential(left.response, { signal: new AbortController().signal, stop })
  await answer.body?.cancel()
  expect(left.cancel).toHaveBeenCalledOnce()
  expect(stop).toHaveBeenCalledOnce()
  const whole = endWithCredential(new Response('all'), {
    signal: new AbortController().signal,
    stop,
  })
  expect(await whole.text()).toBe('all')
  expect(stop).toHaveBeenCalledTimes(2)
})

it('stops watching when the source fails', async () => {
  const stop = vi.fn()
  const pull = () => Promise.reject(new Error('The database does not answer.'))
  const failing = new Response(new ReadableStream<Uint8Array>({ pull }))
  const answer = endWithCredential(failing, { signal: new AbortController().signal, stop })
  await expect(answer.text()).rejects.toThrow('The database does not answer.')
  expect(stop).toHaveBeenCalled()
})
