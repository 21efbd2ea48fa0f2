import process from 'node:process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { serveCommands } from '../../test/support/command-target.ts'
import type { Command } from './command.ts'
import { command as flows } from './commands/flows.ts'
import { command as jobs } from './commands/jobs.ts'
import { command as schedules } from './commands/schedules.ts'
import { CommandFailed, UsageError } from './exit.ts'

const asked: string[] = []
serveCommands((request, response) => {
  const url = String(request.url).replace('/api/w/default', '')
  if (request.url === '/api/auth/me') {
    return void response.end('{"workspace":"default","scopes":["*"]}')
  }
  asked.push(`${request.method} ${decodeURIComponent(url)}`)
  if (url.endsWith('/restart')) response.end('{"flow_run_id":"r2"}')
  else if (url === '/flow-runs/r2') {
    response.end('{"status":"completed","current_step":null,"result":7,"error":null}')
  } else if (url.endsWith('/replay')) response.end('{"job_id":"j2"}')
  else if (url === '/jobs/j2/result') response.end('{"status":"failure","result":{"name":"Oops"}}')
  else if (url.startsWith('/jobs/j2/')) response.end('event: end\ndata: {}\n\n')
  else response.end('{"items":[]}')
})

let said = ''
beforeEach(() => {
  asked.length = 0
  said = ''
  vi.useFakeTimers({ now: Date.parse('2026-11-28T12:00:00Z'), toFake: ['Date'] })
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const GROUPS: Readonly<Record<string, Command>> = { jobs, flows, schedules }
const svc = async (line: string): Promise<unknown> => {
  const [group = '', ...args] = line.split(' ')
  const parser = yargs(args).fail(false).exitProcess(false).strict()
  return parser.command({ command: '$0', describe: '', ...GROUPS[group] } as never).parseAsync()
}

test.each([
  [
    'jobs --app shop --action ship --trigger schedule',
    '/jobs?status=all&app=shop&action=ship&limit=20&trigger_kind=schedule',
  ],
  [
    'jobs --action shop/ship --flow-run r1',
    '/jobs?status=all&app=shop&action=ship&limit=20&flow_run_id=r1',
  ],
  ['jobs --label customer:42', '/jobs?status=all&label=customer%3A42&limit=20'],
  [
    'jobs --since 2h --until 2026-11-28',
    '/jobs?status=all&since=2026-11-28T10:00:00.000Z&until=2026-11-28T00:00:00.000Z&limit=20',
  ],
  ['jobs --since 7d', '/jobs?status=all&since=2026-11-21T12:00:00.000Z&limit=20'],
  [
    'flows runs --flow shop/order --since 2026-11-28T09:00:00+09:00',
    '/flow-runs?status=all&app=shop&flow=order&since=2026-11-28T00:00:00.000Z&limit=20',
  ],
  ['flows --app shop', '/flows?app=shop&limit=500'],
  ['schedules --app shop --no-enabled', '/schedules?app=shop&enabled=false&limit=500'],
])('svc %s asks for %s', async (line, path) => {
  await svc(line)
  expect(asked).toHaveLength(1)
  const [method, url = ''] = asked[0]?.split(' ') ?? []
  const query = (text: string) => [...new URL(text, 'http://x').searchParams].toSorted()
  expect([method, url.split('?')[0], query(url)]).toEqual(['GET', path.split('?')[0], query(path)])
})

test.each([
  [
    'jobs --since soon',
    '--since must be a time such as 2026-11-01T09:00:00Z, a date, or a duration',
  ],
  ['jobs --until 99999d9', '--until must be a time'],
  ['flows runs --app a --flow b/c', '--flow names the app b, and --app another one.'],
  ['jobs --action a/b/c', '--action must be <app>/<action>, or the key of the action alone.'],
  ['flows runs --flow shop/', '--flow must be <app>/<flow>'],
])('svc %s is wrong usage', async (line, message) => {
  await expect(svc(line)).rejects.toThrow(message)
  await expect(svc(line)).rejects.toThrow(UsageError)
  expect(asked).toEqual([])
})

test('flows restart --wait waits for the new run and prints its result', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await svc('flows restart r1 --from pay --wait')
  expect(asked).toEqual(['POST /flow-runs/r1/restart', 'GET /flow-runs/r2'])
  expect(said).toBe('completed  7\n')
})

test('jobs replay --wait follows the new job, and fails when it fails', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await expect(svc('jobs replay j1 --wait --json')).rejects.toThrow(CommandFailed)
  expect(asked[0]).toBe('POST /jobs/j1/replay')
  expect(JSON.parse(said)).toEqual({ job_id: 'j2', status: 'failure', result: { name: 'Oops' } })
})
