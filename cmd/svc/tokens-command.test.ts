import process from 'node:process'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { serveCommands } from '../../test/support/command-target.ts'
import { command } from './commands/tokens.ts'

const TOKEN = {
  id: '7',
  label: 'ci',
  scopes: [],
  token_prefix: 't',
  expires_at: null,
  revoked_at: null,
  token: 't',
}
let sent: unknown
serveCommands(async (request, response) => {
  if (request.url === '/api/auth/me') return void response.end('{"workspace":"default"}')
  if (request.url?.startsWith('/api/tokens/scopes') === true) {
    return void response.end('{"items":[{"scope":"jobs:run","description":"run jobs"}]}')
  }
  sent = JSON.parse(await text(request))
  response.end(JSON.stringify(TOKEN))
})

const run = async (...words: readonly string[]): Promise<string> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const built = await command.builder?.(yargs([...words]).fail(false))
  await built?.parseAsync()
  const printed = write.mock.calls.map(([part]) => String(part)).join('')
  write.mockRestore()
  return printed
}

test('tokens scopes lists the scopes', async () => {
  expect(await run('scopes')).toMatch(/SCOPE +ALLOWS\njobs:run +run jobs\n/)
})

test.each([
  ['jobs:run,jobs:read'],
  [' jobs:run, jobs:read '],
  ['jobs:run', '--scopes', 'jobs:read'],
])('tokens create reads the scopes of --scopes %s', async (...scopes) => {
  await run('create', 'ci', '--scopes', ...scopes)
  expect(sent).toEqual({ label: 'ci', scopes: ['jobs:run', 'jobs:read'] })
})
