import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { runs } from '../support/runs.ts'
import { runtimeFolder } from './job.ts'

const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

const childrenOf = (pid: number): readonly number[] => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** All generations, because the confining program is between a service and its guests. */
const descendantsOf = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

it.each(['bubblewrap', 'deno', 'node'])(
  'guests under %s die with a service that is killed, busy or not',
  async (provider) => {
    const host = spawn(process.execPath, [join(import.meta.dirname, 'doomed-host.ts'), provider], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let told = ''
    await new Promise<void>((resolve) => {
      host.stdout.on('data', (text: Buffer) => {
        told += text
        if (told.trim().split('\n').length === 2) resolve()
      })
    })
    const guests = descendantsOf(host.pid ?? 0)
    const jobs = told.trim().split('\n').map(Number)
    // the two jobs and the process that is started ahead
    expect(guests.length).toBeGreaterThanOrEqual(3)
    // a confined process does not know its id outside
    if (provider !== 'bubblewrap') expect(guests).toEqual(expect.arrayContaining(jobs))
    expect(guests.every(isRunning)).toBe(true)
    host.kill('SIGKILL')
    for (const end = Date.now() + 5_000; guests.some(isRunning) && Date.now() < end; ) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(guests.filter(isRunning)).toEqual([])
  },
)

/** Guests whose host is gone, so that the init process has adopted them. */
const orphans = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(runtimeFolder())
        return isOurs && /^PPid:\s+1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
      } catch {
        return false
      }
    })

it.each<[string, number, number]>([
  // the critical moments last about a millisecond; a confined guest takes longer to start
  ['bubblewrap', runs({ short: 12, long: 4 }), 100],
  ['deno', runs({ short: 4, long: 1 }), 36],
])(
  'guests under %s die with a service that is killed while they start',
  async (provider, stepMs, lastMs) => {
    for (let afterMs = 4; afterMs < lastMs; afterMs += stepMs) {
      const host = spawn(
        process.execPath,
        [join(import.meta.dirname, 'doomed-host.ts'), provider, String(afterMs)],
        { stdio: 'ignore' },
      )
      await once(host, 'exit')
    }
    await expect.poll(orphans, { timeout: 10_000 }).toEqual([])
  },
  240_000,
)
