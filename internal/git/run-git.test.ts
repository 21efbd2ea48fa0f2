import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Starts a git that waits, writes the id of its process to the file, and ends svc's process meanwhile. */
const ENDS_MEANWHILE = `
const { runGit } = await import(process.argv[1])
const { existsSync } = await import('node:fs')
const folder = process.argv[2]
void runGit({
  args: ['-c', 'alias.wait=!echo $$ >pid.new && mv pid.new pid && exec sleep 60', 'wait'],
  folder, network: false, timeoutMs: 50_000, maxOutputBytes: 1_000, env: { PATH: process.env.PATH },
})
process.chdir(folder)
setInterval(() => existsSync('pid') && process.exit(0), 20)
`

test('git does not outlive the process that started it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-run-git-'))
  try {
    const module = join(import.meta.dirname, 'run-git.ts')
    const args = ['--input-type=module', '--eval', ENDS_MEANWHILE, module, folder]
    execFileSync(process.execPath, args, { cwd: folder, timeout: 30_000 })
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    const isRunning = (): boolean => {
      try {
        // a process that was killed stays a zombie until its new parent reads its end
        return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
      } catch {
        return false
      }
    }
    await expect.poll(isRunning, { timeout: 5_000 }).toBe(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
