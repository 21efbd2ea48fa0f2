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
  sent = JSON.parse(await text(request))
  response.end(JSON.stringify(TOKEN))
})

test.each([
  ['jobs:run,jobs:read'],
  [' jobs:run, jobs:read '],
  ['jobs:run', '--scopes', 'jobs:read'],
])('tokens create reads the scopes of --scopes %s', async (...scopes) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const args = yargs(['create', 'ci', '--scopes', ...scopes]).fail(false)
  await Promise.resolve(command.builder?.(args)).then((built) => built?.parseAsync())
  write.mockRestore()
  expect(sent).toEqual({ label: 'ci', scopes: ['jobs:run', 'jobs:read'] })
})
