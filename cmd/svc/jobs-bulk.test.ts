import process from 'node:process'
import { afterEach, expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { serveCommands } from '../../test/support/command-target.ts'
import { command as jobs } from './commands/jobs.ts'
import { CommandFailed } from './exit.ts'

const polled = vi.fn<() => void>()
const operation = {
  id: 'o1',
  kind: 'cancel',
  status: 'running',
  stopped: false,
  matched: 60,
  done: 25,
  failed: 0,
  created_by: 'ada@example.com',
  created_at: '2025-01-31T09:00:00Z',
}
let now: object = operation

serveCommands(({ url = '', method }, response) => {
  if (method === 'POST' && url.endsWith('/operations/o1/stop')) {
    now = { ...operation, status: 'completed', stopped: true }
  }
  if (url === '/api/auth/me') response.end('{"workspace":"default","scopes":["*"]}')
  else if (url.endsWith('/jobs/bulk')) response.end('{"operation_id":"o1","matched":60}')
  else if (url.includes('/operations/o1')) {
    polled()
    response.end(JSON.stringify(now))
  } else response.end(JSON.stringify({ items: [now] }))
})

afterEach(() => void vi.restoreAllMocks())

const printed: string[] = []
const call = (...words: readonly string[]): Promise<unknown> => {
  printed.length = 0
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  return yargs([...words])
    .command({ command: '$0', describe: '', ...jobs })
    .fail(false)
    .parseAsync()
}

test('an operation that is stopped while a command follows it fails the command, with what was done', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const before = process.listeners('SIGINT')
  const following = call('cancel', '--filter', 'app=shop', '--yes')
  const ended = expect(following).rejects.toThrow(CommandFailed)
  await vi.waitFor(() => expect(polled).toHaveBeenCalled(), 10_000)
  for (const listener of process.listeners('SIGINT')) {
    if (!before.includes(listener)) listener('SIGINT')
  }
  expect(exit).toHaveBeenCalledExactlyOnceWith(130)
  expect(said).toHaveBeenCalledWith(expect.stringContaining('svc jobs stop o1'))
  now = { ...operation, status: 'completed', stopped: true }
  await ended
  expect(printed.join('')).toBe('Stopped. Canceled 25 of 60. 0 failed.\n')
})

test('jobs stop prints what was done, and that it came too late', async () => {
  now = operation
  await call('stop', 'o1')
  expect(printed.join('')).toBe('Stopped. Canceled 25 of 60. 0 failed.\n')
  await call('operations')
  expect(printed.join('')).toMatch(/OPERATION .*\no1 +cancel +stopped +25\/60 /)
})
