/** Tests `svc workspace export|import|discard`, with an import that is killed midway. */
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CommandServer, openCommandServer } from '../../test/support/command-server.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { startSvc } from '../../test/support/svc-process.ts'

let folder = ''
let commands: CommandServer
beforeAll(() => {
  commands = openCommandServer()
})
afterAll(() => commands.close())
beforeEach(() => {
  folder = makeMemoryFolder('svc-workspace-copy-')
  writeFileSync(join(folder, 'key.txt'), 'correct horse battery staple\n')
  writeFileSync(join(folder, 'short.txt'), 'short\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const svcIn = (data: string, ...args: readonly string[]) =>
  commands.run({ args: [...args, '--data-dir', join(folder, data)], cwd: folder, env: {} })

test('a workspace goes to another instance, over a kill at each point', async () => {
  const key = ['--passphrase-file', 'key.txt']
  await svcIn('a', 'user', 'create', 'ada@example.com')
  await svcIn('a', 'workspace', 'create', 'acme')
  const missing = await svcIn('a', 'workspace', 'export', 'none', 'none.gz', ...key)
  expect(missing).toMatchObject({ status: 1, stdout: '' })
  expect(missing.stderr).toContain('Workspace "none" not found')
  expect(readdirSync(folder)).not.toContain('none.gz')
  const short = ['--passphrase-file', 'short.txt']
  const weak = await svcIn('a', 'workspace', 'export', 'acme', 'acme.gz', ...short)
  expect(weak.stderr).toContain('at least 16 characters')

  const nowhere = await svcIn('a', 'workspace', 'export', 'acme', 'none/acme.gz', ...key)
  expect(nowhere).toMatchObject({ status: 2, stderr: expect.stringContaining('no folder none.') })

  const written = await svcIn('a', 'workspace', 'export', 'acme', 'acme.gz', ...key)
  expect(written.stdout).toMatch(/Wrote acme\.gz: \d+ rows of \d+ tables\.\n$/)
  expect(statSync(join(folder, 'acme.gz')).mode & 0o777).toBe(0o600)
  const again = await svcIn('a', 'workspace', 'export', 'acme', 'acme.gz', ...key)
  expect(again.stderr).toContain('exists already')

  for (const point of ['import_held', 'import_batch', 'import_inserted', 'import_compared']) {
    const args = ['workspace', 'import', 'acme.gz', ...key, '--data-dir', join(folder, 'b')]
    const doomed = startSvc(args, { cwd: folder, env: { SVC_FAULT: point } })
    expect([await doomed.ended, doomed.said()]).toEqual([null, ''])
  }
  for (const command of [
    ['create-token', 'acme', 'ada@example.com'],
    ['credits', 'add', 'acme', '1'],
    ['workspace', 'suspend', 'acme'],
    ['workspace', 'export', 'acme', 'part.gz', ...key],
  ]) {
    const { stderr } = await svcIn('b', ...command)
    expect(stderr).toContain('The import of workspace "acme" has not ended')
  }
  const taken = await svcIn('b', 'workspace', 'create', 'acme')
  expect(taken.stderr).toContain('exists already')
  const imported = await svcIn('b', 'workspace', 'import', 'acme.gz', ...key)
  expect(imported.stdout).toMatch(/^Imported workspace acme: \d+ rows, compared with the file\.\n$/)
  const twice = await svcIn('b', 'workspace', 'import', 'acme.gz', ...key)
  expect(twice).toMatchObject({ status: 1, stdout: '' })
  expect(twice.stderr).toContain('Workspace "acme" exists already')
  const kept = await svcIn('b', 'workspace', 'discard', 'acme')
  expect(kept.stderr).toContain('has no unfinished import')
  expect((await svcIn('b', 'db', 'check')).status).toBe(0)
}, 120_000)
