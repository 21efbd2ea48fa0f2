import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBackend } from './http-backend.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-backend-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('git that serves a push has as much memory as git that fetches a source', async () => {
  const repository = join(root, 'app.git')
  mkdirSync(join(repository, 'objects', 'pack'), { recursive: true })
  writeFileSync(join(root, 'git'), "#!/bin/sh\nprintf 'Status: 200 OK\\r\\n\\r\\n'; ulimit -d\n", {
    mode: 0o700,
  })
  let ends = 0
  const answer = await runBackend(
    { root, maxBytes: 1, path: root },
    {
      repository,
      service: 'git-receive-pack',
      isAdvertisement: false,
      contentEncoding: undefined,
      protocol: undefined,
      body: null,
      signal: new AbortController().signal,
      onRefs: async () => true,
      onEnded: () => {
        ends += 1
      },
    },
  )
  expect([answer.status, await answer.text()]).toEqual([200, '1000000\n'])
  await expect.poll(() => ends).toBe(1)
})
