import { tmpdir } from 'node:os'
import process from 'node:process'
import { expect, test } from 'vitest'
import { runGit } from './run-git.ts'

test('confined git is ended by what confines it', async () => {
  const ended: number[] = []
  const outcome = await runGit({
    args: [],
    folder: tmpdir(),
    network: false,
    env: {},
    timeoutMs: 50,
    maxOutputBytes: 1_000,
    confine: () => ({
      command: '/bin/sleep',
      args: ['60'],
      env: {},
      end: (pid) => {
        ended.push(pid)
        process.kill(pid, 'SIGKILL')
      },
    }),
  })
  expect(outcome.stopped).toBe('time')
  expect(ended).toHaveLength(1)
})
