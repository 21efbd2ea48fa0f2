import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, test, vi } from 'vitest'
import { createCgroups } from './cgroups.ts'

/** An id that no process has: the kernel counts to 4,194,304 at most. */
const NO_PID = 4_194_305

const folder = mkdtempSync(join(tmpdir(), 'svc-cgroups-'))
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

test('the sweep ends what a killed host left, and no process of another namespace', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  const left = join(folder, `svc-guest-${NO_PID}-1`)
  mkdirSync(left)
  // the kernel lists a process that this namespace cannot see as 0, which would stand for this process and its group
  writeFileSync(join(left, 'cgroup.procs'), `0\n${NO_PID}\n`)
  createCgroups({ version: 2, memory: folder, processes: folder })
  expect(kill.mock.calls).toEqual([[NO_PID, 'SIGKILL']])
})

test('a group that cannot be limited is removed', async () => {
  const processes = join(folder, 'processes')
  mkdirSync(processes, { recursive: true })
  const groups = createCgroups({ version: 2, memory: folder, processes })
  rmSync(processes, { recursive: true })
  expect(() => groups.open(1_000_000)).toThrow('ENOENT')
  await expect.poll(() => readdirSync(folder)).toEqual([])
})

test('a place that is opened twice gives each group a name of its own', () => {
  mkdirSync(folder, { recursive: true })
  const place = { version: 2, memory: folder, processes: folder } as const
  const opened = [createCgroups(place), createCgroups(place)].map((groups) =>
    groups.open(1_000_000),
  )
  expect(new Set(opened.flatMap(({ joins }) => joins)).size).toBe(2)
})
