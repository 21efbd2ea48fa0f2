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

test('memory is limited, also in a program that confines', async () => {
  const run = { args: ['60'], folder: tmpdir(), network: false, timeoutMs: 5_000 } as const
  const shell = { command: '/bin/sh', args: ['-c', 'ulimit -d'], env: {}, end: () => undefined }
  const { stdout } = await runGit({ ...run, env: {}, maxOutputBytes: 1_000, confine: () => shell })
  expect(new TextDecoder().decode(stdout)).toBe('1000000\n')
})

test('without git on the machine, the message names the remedy', async () => {
  const run = { args: [], folder: tmpdir(), network: false, timeoutMs: 5_000 } as const
  await expect(
    runGit({ ...run, env: { PATH: '/nowhere' }, maxOutputBytes: 1_000 }),
  ).rejects.toMatchObject({ kind: 'unavailable' })
})
