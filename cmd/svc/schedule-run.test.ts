import process from 'node:process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { nextFire, parseTiming } from '#core/schedule/timing.ts'
import { serveCommands } from '../../test/support/command-target.ts'
import { command as schedules } from './commands/schedules.ts'

const TIMES = { next_fire_at: null, last_fire_at: null, created_at: '2026-01-01T00:20:00.000Z' }
const SCHEDULE = { cron: '0 9 * * *', timezone: 'Asia/Seoul', ...TIMES }
const HOURLY = { ...SCHEDULE, cron: '@every 1h', next_fire_at: '2026-03-01T00:20:00.000Z' }
const PATH = '/api/w/default/schedules'

let sent: { fireTime: string | undefined; key: string | undefined }[] = []
/** Responses with 429 before the first that starts something. */
let refusals = 0

const textOf = async (request: AsyncIterable<unknown>): Promise<string> => {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}

const preview = (body: { cron: string; timezone: string; from: string; count: number }) => {
  const { timing } = parseTiming(body.cron, body.timezone)
  const times: string[] = []
  for (let after = Date.parse(body.from); timing !== null && times.length < body.count; ) {
    after = nextFire(timing, { after }) ?? 0
    times.push(new Date(after).toISOString())
  }
  return { fire_times: times }
}

serveCommands(async (request, response) => {
  const { url = '', headers } = request
  const text = await textOf(request)
  if (url === '/api/auth/me') response.end('{"workspace":"default","scopes":["*"]}')
  else if (url === `${PATH}/s1`) response.end(JSON.stringify(SCHEDULE))
  else if (url === `${PATH}/s2`) response.end(JSON.stringify(HOURLY))
  else if (url === `${PATH}/preview`) response.end(JSON.stringify(preview(JSON.parse(text))))
  else if (/\/s[12]\/run$/.test(url) && refusals > 0) {
    refusals -= 1
    response.writeHead(429).end('{"error":"The queue is full.","code":"queue_full"}')
  } else if (/\/s[12]\/run$/.test(url)) {
    const key = headers['idempotency-key']
    const isReplayed = sent.some((each) => key !== undefined && each.key === key)
    sent.push({ fireTime: JSON.parse(text).fire_time, key: key?.toString() })
    if (isReplayed) response.setHeader('idempotency-replayed', 'true')
    response.writeHead(201).end(JSON.stringify({ job_id: `j${sent.length}` }))
  } else response.writeHead(404).end('{"error":"Not found."}')
})

const print = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
beforeEach(() => {
  sent = []
  refusals = 0
})
afterEach(() => print.mockClear())

const svc = (args: string) =>
  yargs(args.split(' '))
    .command('schedules', '', schedules)
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new Error(message)
    })
    .parseAsync()
const printed = () => print.mock.calls.map(([text]) => String(text)).join('')

test('runs a schedule now', async () => {
  await svc('schedules run s1')
  expect(sent).toEqual([{ fireTime: undefined, key: undefined }])
  expect(printed()).toBe('j1\n')
})

test('runs a schedule for each of its fire times, ends included, with the time as the key', async () => {
  refusals = 1
  await svc('schedules run s1 --from 2026-01-01T00:00:00Z --until 2026-01-03T00:00:00Z')
  const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
  expect(sent).toEqual(times.map((time) => ({ fireTime: time, key: time })))
  expect(printed()).toContain('Started for 3 fire times.\n')
})

test.each(['2026-01-01T00:30:00Z', '2026-01-01T01:19:59Z', '2026-01-01T01:20:00Z'])(
  'runs an interval at whole intervals from its next fire time, wherever the period begins: %s',
  async (from) => {
    await svc(`schedules run s2 --from ${from} --until 2026-01-01T03:00:00Z`)
    const times = ['2026-01-01T01:20:00.000Z', '2026-01-01T02:20:00.000Z']
    expect(sent.map(({ key }) => key)).toEqual(times)
  },
)

test('a repeated run counts the fire times for which it started nothing', async () => {
  await svc('schedules run s1 --from 2026-01-01T00:00:00Z --until 2026-01-03T00:00:00Z')
  print.mockClear()
  await svc('schedules run s1 --from 2026-01-02T00:00:00Z --until 2026-01-04T00:00:00Z')
  expect(printed()).toContain('Started for 1 fire time. 2 were started before.\n')
})

test('reads several pages of fire times', async () => {
  await svc('schedules run s1 --from 2025-01-01 --until 2025-12-31T23:00:00Z --json')
  expect(sent).toHaveLength(365)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(365)
})

test('runs a schedule for one time that need not be one of its fire times', async () => {
  await svc('schedules run s1 --at 2026-01-31T10:00:00+09:00')
  expect(sent).toEqual([{ fireTime: '2026-01-31T01:00:00.000Z', key: '2026-01-31T01:00:00.000Z' }])
})

test.each([
  ['--at 2026-01-01 --from 2026-01-01', 'Give --at for one time, or --from and --until'],
  ['--until 2026-01-01', '--until needs --from'],
  ['--from 2026-01-02 --until 2026-01-01', '--until must not be before --from'],
  ['--from 2999-01-01', '--from is in the future'],
  ['--from noon', '--from must be a time'],
  ['--from 2000-01-01 --until 2026-01-01', 'more than 1,000 fire times'],
])('refuses %s', async (flags, reason) => {
  await expect(svc(`schedules run s1 ${flags}`)).rejects.toThrow(reason)
  expect(sent).toEqual([])
})
