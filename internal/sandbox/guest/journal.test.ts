import { expect, it } from 'vitest'
import type { RecordedStep } from '#core/durable/step.ts'
import { readJournal } from './journal.ts'

const running = (name: string, kind: 'sleep' | 'event'): RecordedStep => ({
  name,
  kind,
  position: 1,
  status: 'running',
  tries: 1,
  isCaught: false,
  dueInMs: 1,
  value: null,
  error: null,
})

it('counts the time of a sleep down, but leaves the timeout of a wait to the host, which may have an event by then', async () => {
  const steps = [running('nap', 'sleep'), running('paid', 'event')]
  const journal = readJournal({ steps, hasMore: false }, () => Promise.reject(new Error('none')))
  const end = performance.now() + 2
  while (performance.now() < end);
  expect((await journal.take('nap'))?.dueInMs).toBeLessThan(0)
  expect(await journal.take('paid')).toMatchObject({ status: 'running', dueInMs: 1 })
})
