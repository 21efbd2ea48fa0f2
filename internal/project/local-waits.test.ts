import { expect, test } from 'vitest'
import { createLocalWaits, type LocalEvent, type LocalWaitOptions } from './local-waits.ts'

const { signal } = new AbortController()
const paid = (data: number, key?: string | null): LocalEvent => ({ name: 'paid', key, data })
const waiting = (key: string | null, until: { afterMs: number } | null = null) => ({
  step: 'wait',
  until,
  event: { name: 'paid', key },
  signal,
})
const came = (data: number) => ({ kind: 'event_received', data })
const TIMED_OUT = { kind: 'wait_timed_out' }
const HOUR = { afterMs: 3_600_000 }

test('an event with a key ends waits for that key alone, one without a key any wait of its name', async () => {
  const events = [{ ...paid(1), name: 'seen' }, paid(2, 'b'), paid(3, 'a'), paid(4, null), paid(5)]
  const waits = createLocalWaits({ events })
  expect(await waits.wait(waiting('a'))).toEqual(came(3))
  expect(await waits.wait(waiting('c'))).toEqual(came(5))
  expect(await waits.wait(waiting(null))).toEqual(came(4))
  expect(await waits.wait(waiting('b'))).toEqual(came(2))
  await expect(waits.wait(waiting('b'))).rejects.toThrow(
    `The step "wait" waits for the event paid with the key b. Give it with --event 'paid:b={"field":1}'.`,
  )
})

test('an event that is sent ends all waits that are open, or the next one', async () => {
  const waits = createLocalWaits({})
  const open = [waits.wait(waiting('a', HOUR)), waits.wait(waiting('a', HOUR))]
  await Promise.resolve()
  waits.offer(paid(1, 'a'))
  expect(await Promise.all(open)).toEqual([came(1), came(1)])
  waits.offer(paid(2, 'a'))
  expect(await waits.wait(waiting('a'))).toEqual(came(2))
})

test.each([
  ['an answer ends it', { ask: async () => paid(7) }, came(7)],
  ['no answer leaves it to the time', { ask: async () => null }, TIMED_OUT],
  [
    'the time ends the question',
    {
      ask: (_step, _event, asked) =>
        new Promise((resolve) => asked.addEventListener('abort', () => resolve(null))),
    },
    TIMED_OUT,
  ],
  ['skipped time waits for the answer', { skipsTime: true, ask: async () => paid(8) }, came(8)],
] as const satisfies readonly (readonly [string, LocalWaitOptions, unknown])[])(
  'a wait leads to a question to a person: %s',
  async (_, options, end) => {
    expect(await createLocalWaits(options).wait(waiting('a', { afterMs: 5 }))).toEqual(end)
  },
)

test('a wait that takes time is reported, and events that nothing waited for are known', async () => {
  const slept: unknown[] = []
  const onSleep: LocalWaitOptions['onSleep'] = (step, at, event) => {
    slept.push([step, at - Date.now() <= 5, event?.name])
  }
  const waits = createLocalWaits({ events: [paid(1, 'a'), paid(2, 'b')], onSleep })
  await waits.wait({ step: 'sleep', until: { afterMs: 5 }, event: undefined, signal })
  await waits.wait(waiting('a', { afterMs: 5 }))
  await waits.wait(waiting('c', { afterMs: 5 }))
  waits.offer(paid(3, 'z'))
  expect(slept).toEqual([
    ['sleep', true, undefined],
    ['wait', true, 'paid'],
  ])
  expect(waits.unused()).toEqual([paid(2, 'b')])
  const hurried = createLocalWaits({ skipsTime: true, onSleep })
  await hurried.wait({ step: 'sleep', until: HOUR, event: undefined, signal })
  expect(slept).toHaveLength(2)
})

test('skipped time ends a wait only when no job runs that may send its event', async () => {
  const waits = createLocalWaits({ skipsTime: true })
  const endJob = waits.begin()
  const sent = waits.wait(waiting('a', HOUR))
  await new Promise((next) => setImmediate(next))
  waits.offer(paid(1, 'a'))
  expect(await sent).toEqual(came(1))
  const missed = waits.wait(waiting('a', HOUR))
  endJob()
  expect(await missed).toEqual(TIMED_OUT)
})
