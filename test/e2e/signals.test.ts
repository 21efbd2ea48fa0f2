/** Signals other than SIGTERM, and a log that is not taken, must not end or open a node. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { freeAddress } from '../support/sqld.ts'
import { CHILD_ENV, PROGRAM, startSvc } from '../support/svc-process.ts'
import { untilReady } from './durable-node.ts'

const home = makeMemoryFolder('svc-signals-')
afterAll(() => rmSync(home, { recursive: true, force: true }))

const healthOf = async (url: string): Promise<number> => (await fetch(`${url}/healthz`)).status

const statusOf = (pid = 0): string => readFileSync(`/proc/${pid}/status`, 'utf8')

/** The signals that a process handles or blocks, as a bit mask. */
const maskOf = (pid: number | undefined, field: 'SigCgt' | 'SigBlk'): bigint =>
  BigInt(`0x${new RegExp(`^${field}:\\s*(\\w+)`, 'm').exec(statusOf(pid))?.[1]}`)

const SIGUSR1 = 1n << 9n

describe('a node', { timeout: 60_000 }, () => {
  test('without a terminal survives SIGHUP, so that nohup keeps it', async () => {
    const svc = startSvc(['start', '--data-dir', join(home, 'hangup')], { cwd: home })
    const { url } = await untilReady(svc)
    svc.child.kill('SIGHUP')
    expect(await healthOf(url)).toBe(200)
    expect(await svc.stop()).toBe(0)
  })

  test('whose log has no room goes on without it', async () => {
    const address = await freeAddress()
    const port = address.split(':')[1] ?? ''
    const [command = '', ...before] = PROGRAM
    const full = openSync('/dev/full', 'w')
    const args = [...before, 'start', '--data-dir', join(home, 'full'), '--port', port]
    const child = spawn(command, args, {
      cwd: home,
      stdio: ['ignore', full, full],
      env: CHILD_ENV,
    })
    const ended = once(child, 'exit')
    const health = () => healthOf(`http://${address}`).catch(() => 0)
    try {
      await expect.poll(health, { timeout: 30_000 }).toBe(200)
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })
})

// from source, Node's own options decide
const isBuilt = process.env.TEST_PROGRAM !== undefined

const SIGHUP = 1n
const SIGTERM = 1n << 14n

test.runIf(isBuilt)('a node handles signals before it reads its settings', async () => {
  // as the first process of a container it would lose SIGTERM until then
  const { child, ended, said } = startSvc(['start', '--port', 'none'], { cwd: home })
  const both = SIGHUP | SIGTERM
  let handled = 0n
  // nothing else may run here, or the end of the process would be collected
  while (handled !== both && !/^State:\s*Z/m.test(statusOf(child.pid))) {
    handled = maskOf(child.pid, 'SigCgt') & both
  }
  child.kill('SIGHUP')
  expect(await ended).toBe(2)
  expect(said()).toContain('port')
  expect(handled).toBe(both)
})

test.runIf(isBuilt)('no user can open the inspector of a node by SIGUSR1', async () => {
  const svc = startSvc(['start', '--data-dir', join(home, 'inspector')], { cwd: home })
  const { url } = await untilReady(svc)
  expect(maskOf(svc.child.pid, 'SigBlk') & SIGUSR1).toBe(SIGUSR1)
  svc.child.kill('SIGUSR1')
  expect(await healthOf(url)).toBe(200)
  expect(await svc.stop()).toBe(0)
  expect(svc.said()).not.toContain('Debugger listening')
})
