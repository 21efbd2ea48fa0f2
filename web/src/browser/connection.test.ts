import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onReturn, reportLost } from './connection.ts'

const page = Object.assign(new EventTarget(), { hidden: false })
let isUp = true
let polls = 0

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  vi.stubGlobal('fetch', async () => {
    polls += 1
    return new Response(null, { status: isUp ? 200 : 503 })
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a server that refuses single requests is not lost, so that nothing is read again in a loop', async () => {
  const returned = vi.fn()
  const remove = onReturn(returned)
  await reportLost()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(returned).not.toHaveBeenCalled()
  remove()
})

test('a lost server is polled until it answers, but not from a hidden page', async () => {
  const returned = vi.fn()
  const remove = onReturn(returned)
  isUp = false
  const ended = reportLost()
  await vi.advanceTimersByTimeAsync(10_000)
  page.hidden = true
  await vi.advanceTimersByTimeAsync(10_000)
  const before = polls
  await vi.advanceTimersByTimeAsync(60_000)
  expect(polls).toBe(before)
  isUp = true
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  await ended
  expect(returned).toHaveBeenCalledOnce()
  remove()
})
