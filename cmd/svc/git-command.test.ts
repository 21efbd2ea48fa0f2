import process from 'node:process'
import { expect, test, vi } from 'vitest'
import yargs from 'yargs'
import { serveCommands } from '../../test/support/command-target.ts'
import { command } from './commands/git.ts'

const SOURCE = {
  id: '7',
  name: 'jobs',
  url: 'https://example.com/jobs.git',
  branch: null,
  last_commit: null,
  last_error: null,
}
let isBroken = false
serveCommands(({ url = '' }, response) => {
  if (url === '/api/auth/me') response.end('{"workspace":"default","scopes":["*"]}')
  else if (!url.endsWith('/git-sources/7/sync')) response.end(JSON.stringify(SOURCE))
  else if (isBroken) response.writeHead(422).end('{"error":"app.yaml:2:1: Bad.","code":"faulty"}')
  else response.end('{"deployments":[{"app":"shop","deployment_id":"9"}]}')
})

const add = async (): Promise<string> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await Promise.resolve(command.builder?.(yargs(['add', SOURCE.url]).fail(false))).then((args) =>
      args?.parseAsync(),
    )
    return write.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    write.mockRestore()
  }
}

test('git add deploys the apps of the repository', async () => {
  expect(await add()).toBe('Added jobs: 7\nshop  9\n')
})

test('git add names the command that deploys later if the repository has a fault', async () => {
  isBroken = true
  await expect(add()).rejects.toThrow(/Bad\.\nThe source jobs was added\..* svc git sync 7$/)
})
