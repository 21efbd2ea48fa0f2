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
let existing: readonly object[] = []
serveCommands(({ url = '', method }, response) => {
  if (url === '/api/auth/me') response.end('{"workspace":"default","scopes":["*"]}')
  else if (method === 'GET') response.end(JSON.stringify({ items: existing }))
  else if (!url.endsWith('/git-sources/7/sync')) response.end(JSON.stringify(SOURCE))
  else if (isBroken) response.writeHead(422).end('{"error":"app.yaml:2:1: Bad.","code":"faulty"}')
  else response.end('{"deployments":[{"app":"shop","deployment_id":"9"}]}')
})

const add = async (...flags: readonly string[]): Promise<string> => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await Promise.resolve(command.builder?.(yargs(['add', SOURCE.url, ...flags]).fail(false))).then(
      (args) => args?.parseAsync(),
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
  await expect(add()).rejects.toThrow(
    /Bad\.\nThe source jobs was added\..* svc git sync 7\n.* svc git delete 7$/,
  )
})

test('git add refuses a repository that a source has already', async () => {
  existing = [{ ...SOURCE, url: `${SOURCE.url}/`, path: '' }]
  await expect(add()).rejects.toThrow(/The source jobs has this repository already.* git sync 7\n/)
  await expect(add('--path', 'apps')).rejects.toThrow('Bad.')
})

test.each(['3', 'soon'])('git add refuses --every %s', async (every) => {
  await expect(add('--every', every)).rejects.toThrow('--every must be a whole number from 10 to')
})
