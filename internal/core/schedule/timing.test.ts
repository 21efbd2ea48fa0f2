import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { runs } from '../../../test/support/runs.ts'
import { parseGoDuration } from './go-duration.ts'
import { offsetAt } from './time-zone.ts'
import { fireTimesBetween, nextFire, parseTiming, type Timing } from './timing.ts'

const timingOf = (cron: string, zone = 'UTC'): Timing => {
  const { timing, fault } = parseTiming(cron, zone)
  if (timing === null) throw new Error(`${fault.path} ${fault.message}`)
  return timing
}
/** The next fire times after a time, as ISO texts. */
const slots = (cron: string, zone: string, from: string, count: number): readonly string[] => {
  const timing = timingOf(cron, zone)
  const found: string[] = []
  let after = Date.parse(from)
  while (found.length < count) {
    const next = nextFire(timing, { after })
    if (next === null) break
    found.push(new Date(next).toISOString().slice(0, 16))
    after = next
  }
  return found
}

describe('what is a schedule', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:01'],
    ['30 9 * * 1-5', '2026-01-01T09:30'],
    ['0 0 29 2 *', '2028-02-29T00:00'],
    ['15 14 1 * *', '2026-01-01T14:15'],
    ['0 22 * * MON', '2026-01-05T22:00'],
    ['0 12 1 JAN,JUL *', '2026-01-01T12:00'],
    ['5,10 1 * * *', '2026-01-01T01:05'],
    // January 2026 begins on a Thursday
    ['0 9 L * *', '2026-01-31T09:00'],
    ['0 9 * * 5L', '2026-01-30T09:00'],
    ['0 9 17W * *', '2026-01-16T09:00'],
    ['0 9 * * 1#2', '2026-01-12T09:00'],
    ['0 9 1 * +MON', '2026-06-01T09:00'],
    ['@hourly', '2026-01-01T01:00'],
    ['@daily', '2026-01-02T00:00'],
    ['@midnight', '2026-01-02T00:00'],
    ['@weekly', '2026-01-04T00:00'],
    ['@monthly', '2026-02-01T00:00'],
    ['@yearly', '2027-01-01T00:00'],
    ['@annually', '2027-01-01T00:00'],
    ['@every 90m', '2026-01-01T01:30'],
    ['  0   5 * * * ', '2026-01-01T05:00'],
  ])('%s fires next at %s', (cron, expected) => {
    expect(slots(cron, 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual([expected])
  })

  it('takes a day of month or a day of week, as cron does', () => {
    const found = slots('0 0 13 * 5', 'UTC', '2026-01-01T00:00:00Z', 4)
    expect(found).toEqual([
      '2026-01-02T00:00',
      '2026-01-09T00:00',
      '2026-01-13T00:00',
      '2026-01-16T00:00',
    ])
  })

  it.each([
    ['0 0 * * * *', 'seconds are not supported'],
    ['* * * *', 'five fields'],
    ['', 'five fields'],
    ['61 * * * *', 'not understood (a minute is 0 to 59)'],
    ['0 24 * * *', 'an hour is 0 to 23'],
    ['0 0 32 * *', 'a day of month is 1 to 31'],
    ['0 0 * 13 *', 'a month is 1 to 12'],
    ['0 0 * * 8', 'a day of week is 0 to 7'],
    ['a b c d e', 'not understood'],
    ['*/0 * * * *', 'not understood'],
    ['0 0 31 2 *', 'never fire'],
    ['0 0 30 2 *', 'never fire'],
    ['@reboot', '@every <duration>'],
    ['@every', '@every <duration>'],
    ['@every 0.5s', 'every second at most'],
    ['@every fast', 'wants a duration'],
    ['@every -5m', 'wants a duration'],
    ['@every 1000000h', 'hundred years'],
    [`${'1,'.repeat(200)}1 * * * *`, 'at most 256'],
  ])('%s is refused: %s', (cron, message) => {
    expect(parseTiming(cron, 'UTC').fault).toMatchObject({
      path: 'cron',
      message: expect.stringContaining(message),
    })
  })

  it.each(['Mars/Olympus', '', '+09:00', 'UTC; DROP', 'x'.repeat(200)])(
    'knows no zone %s',
    (zone) => {
      expect(parseTiming('0 0 * * *', zone).fault?.path).toBe('timezone')
    },
  )

  it.each([
    ['Seoul', 'Asia/Seoul'],
    ['new york', 'America/New_York'],
    ['Europe/Berln', 'Europe/Berlin'],
    ['KST', 'an IANA name such as Asia/Seoul'],
    ['x'.repeat(100), 'an IANA name such as Asia/Seoul'],
  ])('names the zone that %s probably means', (zone, meant) => {
    expect(parseTiming('@daily', zone).fault).toEqual({
      path: 'timezone',
      message: `"${zone.slice(0, 64)}" is not a known time zone. Use ${meant}`,
    })
  })

  it('knows Seoul, Kolkata, and UTC under its names', () => {
    expect(slots('0 9 * * *', 'Asia/Seoul', '2026-01-01T00:00:00Z', 1)).toEqual([
      '2026-01-02T00:00',
    ])
    expect(slots('0 9 * * *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 1)).toEqual([
      '2026-01-01T03:30',
    ])
    for (const zone of ['UTC', 'Etc/UTC', 'GMT']) {
      expect(slots('0 9 * * *', zone, '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T09:00'])
    }
  })
})

describe('daylight saving, as Vixie cron has it', () => {
  // Berlin: 2026-03-29 02:00 -> 03:00 (01:00 UTC), 2026-10-25 03:00 -> 02:00 (01:00 UTC)
  it('fires a slot that the clock skips once, right after the gap', () => {
    expect(slots('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    expect(slots('0,20,40 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00',
    ])
  })

  it('fires a slot that occurs twice once, the first time', () => {
    expect(slots('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
    // also in the middle of the repeated hour
    expect(slots('15,45 2 * * *', 'Europe/Berlin', '2026-10-25T01:20:00Z', 1)).toEqual([
      '2026-10-26T01:15',
    ])
  })

  it('counts real time where hour or minute is open', () => {
    expect(slots('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:29:00Z', 4)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
      '2026-03-29T02:00',
    ])
    expect(slots('@hourly', 'Europe/Berlin', '2026-10-24T23:30:00Z', 4)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ])
    // 02:30 on any day, as `30 2-23/24` would: with a step it is real time, so the gap takes it away
    expect(slots('30 2-2/1 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1)).toEqual([
      '2026-03-30T00:30',
    ])
    expect(slots('*/30 2 * * *', 'Europe/Berlin', '2026-10-25T00:00:00Z', 3)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
    ])
  })

  it('knows zones that change by half an hour, and days that do not exist', () => {
    // Lord Howe: 2026-10-04 02:00 -> 02:30
    expect(slots('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T10:00:00Z', 1)).toEqual([
      '2026-10-03T15:30',
    ])
    // Samoa left out the 30th of December 2011
    expect(slots('0 12 30 12 *', 'Pacific/Apia', '2011-12-29T12:00:00Z', 2)).toEqual([
      '2011-12-30T10:00',
      '2012-12-29T22:00',
    ])
  })
})

test('@every counts from the last fire, however late that was', () => {
  const timing = timingOf('@every 10m')
  expect(nextFire(timing, { after: 1_000 })).toBe(601_000)
  expect(nextFire(timing, { after: 600_500 })).toBe(1_200_500)
})

test('fire times between two times are counted, with the first and the last', () => {
  const hourly = timingOf('@hourly')
  const hour = 3_600_000
  expect(fireTimesBetween(hourly, { after: 0, until: 5 * hour, most: 100 })).toEqual({
    first: hour,
    last: 5 * hour,
    count: 5,
  })
  expect(fireTimesBetween(hourly, { after: 0, until: 5 * hour, most: 2 })).toMatchObject({
    count: 2,
  })
  expect(fireTimesBetween(hourly, { after: 0, until: hour - 1, most: 2 })).toBeNull()
  expect(fireTimesBetween(timingOf('@every 1s'), { after: 0, until: 3_500, most: 9 })).toBeNull()
})

test.each([
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['250ms', 250],
  ['1h1m1s1ms', 3_661_001],
  ['1000000000ns', 1_000],
  ['2µs', 0.002],
  ['', null],
  ['5', null],
  ['m', null],
  ['1h 30m', null],
  ['1d', null],
  ['+1h', null],
])('the Go duration %s is %s ms', (text, ms) => {
  expect(parseGoDuration(text)).toBe(ms)
})

const ZONES = Intl.supportedValuesOf('timeZone')
const FROM = Date.UTC(2026, 0, 1)
const UNTIL = Date.UTC(2076, 0, 1)

const list = (low: number, high: number) =>
  fc
    .uniqueArray(fc.integer({ min: low, max: high }), { minLength: 1, maxLength: 3 })
    .map((values) => values.join(','))
const open = (low: number, high: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 2, max: high - low }).map((step) => `*/${step}`),
  )
const someTime = fc.tuple(fc.oneof(list(0, 59), open(0, 59)), fc.oneof(list(0, 23), open(0, 23)))
const someDay = fc.tuple(
  fc.oneof(fc.constant('*'), list(1, 28)),
  fc.oneof(fc.constant('*'), list(1, 12)),
  fc.oneof(fc.constant('*'), list(0, 6)),
)
const pattern = fc.tuple(someTime, someDay).map(([time, day]) => [...time, ...day].join(' '))
const zone = fc.constantFrom(...ZONES)
const instant = fc.integer({ min: FROM, max: UNTIL })

describe('over every zone and fifty years', () => {
  it('is later than the given time, and the first that is', () => {
    fc.assert(
      fc.property(pattern, zone, instant, fc.nat(86_400_000), (cron, name, after, later) => {
        const timing = timingOf(cron, name)
        const next = nextFire(timing, { after })
        if (next === null) throw new Error('It never fires.')
        expect(next).toBeGreaterThan(after)
        // from any earlier time it is the same: no fire time is skipped or repeated
        const between = after + Math.min(later, next - after - 1)
        expect(nextFire(timing, { after: between })).toBe(next)
      }),
      { numRuns: runs({ short: 1_000, long: 3_000 }) },
    )
  })

  it('fires at every minute that the clock shows, where real time counts', () => {
    fc.assert(
      fc.property(
        fc.tuple(open(0, 59), fc.oneof(list(0, 23), open(0, 23))),
        zone,
        instant,
        ([minute, hour], name, at) => {
          const around = nearestChange(name, at)
          const timing = timingOf(`${minute} ${hour} * * *`, name)
          const expected: number[] = []
          const end = around + 4 * 3_600_000
          for (let each = around - 4 * 3_600_000 + 60_000; each <= end; each += 60_000) {
            const shown = new Date(each + offsetAt(name, each))
            if (fits(minute, shown.getUTCMinutes()) && fits(hour, shown.getUTCHours()))
              expected.push(each)
          }
          const found: number[] = []
          for (let after = around - 4 * 3_600_000; ; ) {
            const next = nextFire(timing, { after })
            if (next === null || next > end) break
            found.push(next)
            after = next
          }
          expect(found).toEqual(expected)
        },
      ),
      { numRuns: runs({ short: 60, long: 150 }) },
    )
  })

  it('fires once a day where hour and minute are fixed, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.nat(59), fc.nat(23), zone, instant, (minute, hour, name, at) => {
        const around = nearestChange(name, at)
        const timing = timingOf(`${minute} ${hour} * * *`, name)
        let after = around - 5 * 86_400_000
        for (let day = 0; day < 10; day += 1) {
          const next = nextFire(timing, { after })
          if (next === null) throw new Error('It never fires.')
          if (day > 0) {
            expect(next - after).toBeGreaterThanOrEqual(20 * 3_600_000)
            expect(next - after).toBeLessThanOrEqual(28 * 3_600_000)
          }
          after = next
        }
      }),
      { numRuns: runs({ short: 200, long: 500 }) },
    )
  })
})

/** Returns a change of the zone's clocks within the half year after, else the time itself. */
const nearestChange = (name: string, at: number): number => {
  const day = 86_400_000
  const start = Math.floor(at / 60_000) * 60_000
  for (let each = start; each < start + 190 * day; each += day) {
    if (offsetAt(name, each) !== offsetAt(name, each + day)) return each + day / 2
  }
  return start
}

const fits = (field: string, value: number): boolean => {
  if (field === '*') return true
  if (field.startsWith('*/')) return value % Number(field.slice(2)) === 0
  return field.split(',').includes(String(value))
}

test.each(['0 0 31 2 *', '0 0 29 2 1', '59 23 31 12 *', '*/7 */5 29 2 *'])(
  '%s is answered in bounded time in every zone',
  (cron) => {
    const before = cpuMs()
    for (const name of ZONES) {
      const { timing } = parseTiming(cron, name)
      if (timing !== null) nextFire(timing, { after: UNTIL })
    }
    expect((cpuMs() - before) / ZONES.length).toBeLessThan(50)
  },
)

test('a manifest of crons that never fire is read in bounded time', () => {
  const parse = () => {
    const before = cpuMs()
    for (let n = 0; n < 34; n += 1) parseTiming('0 0 31 2,4,6,9,11 *', 'UTC')
    return cpuMs() - before
  }
  expect(Math.min(parse(), parse(), parse(), parse())).toBeLessThan(50)
})

test.each(['0 0 29 2 +1', '0 0 29 2 +SUN', '0 0 * 2 3#5', '0 0 29W 2 *', '0 0 31 1,2 +MON'])(
  '%s fires, although not every year',
  (cron) => expect(parseTiming(cron, 'UTC').fault).toBeNull(),
)

test.each(['0 0 30 2 *', '0 0 31 4,6 *', '0 0 30 2 +MON', '0 0 31W 2 *'])(
  '%s never fires',
  (cron) => expect(parseTiming(cron, 'UTC').fault?.message).toContain('never fire'),
)
