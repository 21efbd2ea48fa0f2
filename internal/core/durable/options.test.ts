import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { MAX_WAIT_MS } from './limits.ts'
import { readDuration, readStepName, readStepRetry, readWait } from './options.ts'

describe('ctx.sleep', () => {
  it.each([
    [{ days: 2 }, 172_800_000],
    [{ hours: 1, minutes: 1, seconds: 1 }, 3_661_000],
    [{ seconds: 0 }, 0],
    [{ seconds: 0.0001 }, 1],
    [{ days: 366 }, MAX_WAIT_MS],
    [{ seconds: -0.5 }, -500],
    [{ days: 1, hours: -25 }, -3_600_000],
  ])('%j', (duration, ms) => {
    expect(readDuration(duration)).toBe(ms)
  })

  it.each<unknown>([
    {},
    null,
    5,
    '1d',
    { weeks: 1 },
    { days: '1' },
    { seconds: Number.NEGATIVE_INFINITY },
    { days: Number.NaN },
    { days: 366, seconds: 1 },
    { toString: 1 },
  ])('refuses %j', (duration) => {
    expect(() => readDuration(duration)).toThrow(TypeError)
  })

  test('units add up', () => {
    const amount = fc.nat({ max: 50 })
    fc.assert(
      fc.property(amount, amount, amount, amount, (days, hours, minutes, seconds) => {
        const ms = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000
        expect(readDuration({ days, hours, minutes, seconds })).toBe(ms)
      }),
    )
  })
})

describe('ctx.step', () => {
  it.each(['a', 'x'.repeat(200), '한글'])('is named %s', (name) => {
    expect(readStepName(name)).toBe(name)
  })
  it('has the name that the database returns, if an emoji was cut', () => {
    expect(readStepName('to 👋'.slice(0, 4))).toBe('to \u{FFFD}')
  })
  it.each<unknown>(['', 'x'.repeat(201), 'a\0b', 7, null])('is not named %s', (name) => {
    expect(() => readStepName(name)).toThrow(TypeError)
  })
  it.each([
    [undefined, null],
    [{}, null],
    [{ retry: {} }, { maxAttempts: 1, delayMs: 1_000, backoffFactor: 1 }],
    [
      { retry: { maxAttempts: 3, delayMs: 0, backoffFactor: 2 } },
      { maxAttempts: 3, delayMs: 0, backoffFactor: 2 },
    ],
    [
      { retry: { maxAttempts: 3, maxDelayMs: 60_000, jitter: 0.5, notOn: ['Declined'] } },
      {
        maxAttempts: 3,
        delayMs: 1_000,
        backoffFactor: 1,
        maxDelayMs: 60_000,
        jitter: 0.5,
        notOn: ['Declined'],
      },
    ],
  ])('is tried again by %j', (options, policy) => {
    expect(readStepRetry(options)).toEqual(policy)
  })
  it.each<unknown>([
    7,
    { retries: 3 },
    { retry: 3 },
    { retry: { maxAttempts: 0 } },
    { retry: { maxAttempts: 101 } },
    { retry: { maxAttempts: 1.5 } },
    { retry: { delayMs: -1 } },
    { retry: { backoffFactor: 11 } },
    { retry: { jitter: 1.1 } },
    { retry: { maxDelayMs: -1 } },
    { retry: { notOn: 'Declined' } },
    { retry: { notOn: [7] } },
    { retry: { tries: 3 } },
  ])('refuses %j', (options) => {
    expect(() => readStepRetry(options)).toThrow(TypeError)
  })
})

describe('ctx.waitForEvent', () => {
  it.each([
    [{ name: 'order.paid' }, { name: 'order.paid', key: null, timeoutMs: null }],
    [
      { name: 'a', match: 17, timeoutS: 0.5 },
      { name: 'a', key: '17', timeoutMs: 500 },
    ],
    [
      { name: 'a', match: 'b', timeoutS: 0 },
      { name: 'a', key: 'b', timeoutMs: 0 },
    ],
    [
      { name: 'a', timeoutS: -1 },
      { name: 'a', key: null, timeoutMs: 0 },
    ],
  ])('%j', (options, wait) => {
    expect(readWait(options)).toEqual(wait)
  })
  it.each<unknown>([
    undefined,
    'order.paid',
    {},
    { name: 'Order' },
    { name: 'a', match: {} },
    { name: 'a', match: '' },
    { name: 'a', timeoutS: Number.NaN },
    { name: 'a', timeoutS: 31_622_401 },
    { name: 'a', timeout: 1 },
  ])('refuses %j', (options) => {
    expect(() => readWait(options)).toThrow(TypeError)
  })
  it.each<[unknown, string]>([
    [{ name: 'Order', match: 1 }, 'name'],
    [{ name: 'a', match: {} }, 'match'],
    [{ name: 'a', timeoutS: '5' }, 'timeoutS'],
  ])('that is refused as %j names the field', (options, field) => {
    expect(() => readWait(options)).toThrow(new RegExp(`Its ${field} is not valid\\.$`))
  })
})
