/** kill -9 of a server while it receives a git push: the app and its branch are either both as before, or both as pushed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { oneActionApp } from '../support/app-files.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { runGit } from '../support/push-server.ts'
import { type Folder, makeTemplate, type Node, withCopyOf } from './durable-node.ts'

const repositories = openRepositoryFolder()
const clones = mkdtempSync(join(tmpdir(), 'svc-clones-'))
let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => {
  template.remove()
  repositories.remove()
  rmSync(clones, { recursive: true, force: true })
})

const remote = ({ url }: Node, token: string): string => {
  const address = new URL('/git/default/pushed', url)
  address.username = 'x'
  address.password = token
  return address.href
}

const deployedCommit = async ({ url }: Node, token: string): Promise<string> => {
  const answer = await fetch(`${url}/api/w/default/apps/pushed`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return z.object({ commit: z.string() }).parse(await answer.json()).commit
}

describe.concurrent('kill -9', { timeout: 120_000 }, () => {
  test.each([
    ['push_before_commit', 'before'],
    ['push_committed', 'pushed'],
  ] as const)('at %s leaves app and branch as %s', async (point, wanted) => {
    await withCopyOf(template, async (folder) => {
      const { token } = folder
      const repository = repositories.create(point)
      const before = repository.commit(oneActionApp('pushed'))
      const doomed = await folder.start({ env: { SVC_FAULT: `${point}:2` } })
      const first = await runGit(repository.path, 'push', remote(doomed, token), 'main')
      expect(first).toMatchObject({ code: 0 })
      const pushed = repository.commit(oneActionApp('pushed', 'new'))
      const second = await runGit(repository.path, 'push', remote(doomed, token), 'main')
      expect(second.code).not.toBe(0)
      expect(await doomed.process.ended).toBeNull()
      const healthy = await folder.start()
      const commit = { before, pushed }[wanted]
      expect(await deployedCommit(healthy, token)).toBe(commit)
      const clone = join(clones, point)
      const cloned = await runGit(clones, 'clone', '--quiet', remote(healthy, token), clone)
      expect(cloned).toMatchObject({ code: 0 })
      expect((await runGit(clone, 'rev-parse', 'HEAD')).text.trim()).toBe(commit)
      const again = await runGit(repository.path, 'push', remote(healthy, token), 'main')
      expect(again).toMatchObject({ code: 0 })
      expect(await deployedCommit(healthy, token)).toBe(pushed)
      await healthy.process.stop()
    })
  })
})
