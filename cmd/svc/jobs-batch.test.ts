import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { serveCommands } from '../../test/support/command-target.ts'
import { command as jobs } from './commands/jobs.ts'

let answer: object = {}

serveCommands(({ url = '' }, response) => {
  if (url === '/api/auth/me') response.end('{"workspace":"default","scopes":["*"]}')
  else response.writeHead(201).end(JSON.stringify(answer))
})

const folder = mkdtempSync(join(tmpdir(), 'svc-jobs-batch-'))
afterEach(() => void vi.restoreAllMocks())
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'jobs.ndjson')
writeFileSync(file, '{"app":"shop","action":"ship"}\n'.repeat(3))

const printed = async (...flags: readonly string[]): Promise<string> => {
  const texts: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => texts.push(String(text)) > 0)
  await yargs(['batch', file, ...flags])
    .command({ command: '$0', describe: '', ...jobs })
    .fail(false)
    .parseAsync()
  return texts.join('')
}

test.each([
  [3, '3 jobs were queued.\n'],
  [
    2,
    '2 jobs were queued. 1 line made no new job: the idempotency_key was used before, or the action is debounced.\n',
  ],
  [
    0,
    '0 jobs were queued. 3 lines made no new job: the idempotency_key was used before, or the action is debounced.\n',
  ],
  // an older server
  [undefined, '3 jobs were queued.\n'],
])('jobs batch counts the new jobs: %s', async (queued, said) => {
  answer = { job_ids: ['a', 'b', 'c'], queued }
  expect(await printed()).toBe(said)
})

test('jobs batch gives programs the ids and the count', async () => {
  answer = { job_ids: ['a', 'a', 'a'], queued: 1 }
  expect(JSON.parse(await printed('--json'))).toEqual(answer)
})
