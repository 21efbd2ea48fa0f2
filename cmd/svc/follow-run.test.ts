import process from 'node:process'
import { expect, test, vi } from 'vitest'
import { serveCommands } from '../../test/support/command-target.ts'
import { command } from './commands/run.ts'

const NOTE = JSON.stringify({ fraction: 0.5, note: 'half\u001b]52;c;cm0gLXJm\u0007' })
const JOB = '/api/w/default/jobs/1'
const BODIES: Readonly<Record<string, string>> = {
  '/api/auth/me': '{"workspace":"default","scopes":["jobs:run","jobs:read"]}',
  '/api/w/default/jobs/run/hello/greet': '{"job_id":"1"}',
  [`${JOB}/logs`]: 'event: end\ndata: {}\n\n',
  [`${JOB}/events`]: `event: progress\ndata: ${NOTE}\n\n`,
  [`${JOB}/result`]: '{"job_id":"1","status":"success","result":7}',
}
serveCommands(({ url = '' }, response) => {
  if (url === `${JOB}/logs` || url === `${JOB}/events`)
    response.setHeader('content-type', 'text/event-stream')
  response.end(BODIES[url] ?? '')
})

/** What a run that is waited for prints on standard error. */
const shownWhere = async (place: Readonly<{ isTTY: boolean }>): Promise<string> => {
  const { isTTY } = process.stderr
  process.stderr.isTTY = place.isTTY
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await command.handler({ _: [], $0: 'svc', action: 'hello/greet', wait: true })
    return written.mock.calls.flat().join('')
  } finally {
    written.mockRestore()
    printed.mockRestore()
    process.stderr.isTTY = isTTY
  }
}

test('the note of a job’s progress commands no terminal', async () => {
  const shown = await shownWhere({ isTTY: true })
  expect(shown).toContain('50 %  half]52;c;cm0gLXJm')
  expect(shown).not.toContain('\u0007')
})

test('progress goes only to a terminal', async () => {
  expect(await shownWhere({ isTTY: false })).toBe('')
})
