import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { parseManifest, storedManifest, storedSchedules } from '../manifest/manifest.ts'

const withSchedules = (schedules: string) => `key: shop
actions:
  - key: greet
    entrypoint: greet.ts
    inputSchema: { type: object, properties: { name: { type: string } } }
flows:
  - key: close-day
    inputSchema: { type: object, properties: { day: { type: string } } }
    steps: [{ key: a, action: greet }]
schedules:
${schedules}`

const parsed = (schedules: string) => parseManifest(withSchedules(schedules), 'app.yaml')
const faultsOf = (schedules: string): readonly string[] => {
  const result = parsed(schedules)
  return result.ok ? [] : result.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('the schedules of a manifest', () => {
  it('are filled in where fields are left out', () => {
    const result = parsed(`  - { key: nightly, cron: "0 3 * * *", flow: close-day }
  - key: morning
    cron: "@daily"
    timezone: Asia/Seoul
    action: greet
    input: { name: Ada }
    enabled: false
`)
    if (!result.ok) throw new Error(JSON.stringify(result.faults))
    const schedules = [
      {
        key: 'nightly',
        cron: '0 3 * * *',
        flow: 'close-day',
        timezone: 'UTC',
        input: {},
        enabled: true,
        overlap: 'allow',
      },
      {
        key: 'morning',
        cron: '@daily',
        timezone: 'Asia/Seoul',
        action: 'greet',
        input: { name: 'Ada' },
        enabled: false,
        overlap: 'allow',
      },
    ]
    expect(result.manifest.schedules).toEqual(schedules)
    expect(storedSchedules(storedManifest(result.manifest))).toEqual(schedules)
  })

  it('are left out of a stored manifest without any, as in those of former versions', () => {
    const result = parseManifest('key: shop', 'app.yaml')
    if (!result.ok) throw new Error(JSON.stringify(result.faults))
    expect(storedManifest(result.manifest)).toBe(
      JSON.stringify({ key: 'shop', name: 'shop', actions: [], flows: [] }),
    )
    expect(storedSchedules(storedManifest(result.manifest))).toEqual([])
  })

  it.each([
    [
      '{ key: a, action: greet }',
      'app.yaml:11:5 schedules[0].cron: is missing; it must be a string.',
    ],
    ['{ key: a, cron: soon, action: greet }', 'has five fields'],
    [
      '{ key: a, cron: "@daily", timezone: Mars, action: greet }',
      '"Mars" is not a known time zone',
    ],
    ['{ key: a, cron: "@daily" }', 'either action or flow'],
    ['{ key: a, cron: "@daily", action: greet, flow: close-day }', 'either action or flow'],
    ['{ key: a, cron: "@daily", action: none }', 'there is no action "none" in this app.'],
    ['{ key: a, cron: "@daily", flow: none }', 'there is no flow "none" in this app.'],
    ['{ key: a, cron: "@daily", action: greet, input: [1] }', 'must be a mapping'],
    [
      '{ key: a, cron: "@daily", action: greet, input: { name: 1 } }',
      'app.yaml:11:46 schedules[0].input: does not fit the inputSchema of the action "greet"',
    ],
    [
      '{ key: a, cron: "@daily", flow: close-day, input: { day: 1 } }',
      'app.yaml:11:48 schedules[0].input: does not fit the inputSchema of the flow "close-day": day must be a string',
    ],
    [
      '{ key: a, cron: "@daily", action: greet, overlap: never }',
      'app.yaml:11:46 schedules[0].overlap: must be allow, skip or queue',
    ],
    [
      '{ key: a, cron: "@daily", action: greet, jitter: 5 }',
      'app.yaml:11:46 schedules[0].jitter: jitter is not a field of a manifest.',
    ],
  ])('with %s are refused at the place of the fault', (row, fault) => {
    const faults = faultsOf(`  - ${row}`)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(fault)
    expect(faults[0]).not.toContain('..')
  })

  it('have different keys', () => {
    const row = '  - { key: a, cron: "@daily", action: greet }\n'
    expect(faultsOf(row + row)).toEqual([
      'app.yaml:12:7 schedules[1].key: the key "a" occurs twice.',
    ])
  })

  it('are checked against a slow schema in bounded time', () => {
    const pattern = '^(?:(?:a?){20}){20}$'
    const numbers = Array.from({ length: 250 }, (_, index) => `a${index}`).join(',')
    const rows = Array.from(
      { length: 90 },
      (_, index) =>
        `  - { key: k${index}, cron: "@daily", action: greet, input: { a: [${numbers}] } }`,
    )
    const text = `key: shop
actions:
  - key: greet
    entrypoint: greet.ts
    inputSchema:
      properties: { a: { uniqueItems: true, items: { not: { pattern: "${pattern}" } } } }
schedules:
${rows.join('\n')}`
    expect(text.length).toBeLessThan(131_072)
    const before = cpuMs()
    parseManifest(text, 'app.yaml')
    expect(cpuMs() - before).toBeLessThan(4_000)
  })
})
