/** The disk of a node fails: callers get the cause, healthz stays 503 until a write succeeds, and nothing is lost. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DiskFault, openFaultyDisk } from '../support/faulty-disk.ts'
import { freeAddress } from '../support/sqld.ts'
import { startSvc } from '../support/svc-process.ts'
import { audit, makeTemplate, type Node, tryRun, untilReady } from './durable-node.ts'

const healthOf = async ({ url }: Node) => {
  const answer = await fetch(`${url}/healthz`)
  return { status: answer.status, json: await answer.json() }
}

const faults: readonly (readonly [DiskFault, RegExp])[] = [
  ['full', /disk of the database is full/],
  ['failing', /disk of the database fails/],
  ['read-only', /read-only|disk of the database fails/],
]

test('a disk that is full, fails or is read-only is reported as such, and svc goes on when it works again', {
  timeout: 120_000,
}, async () => {
  const folder = await makeTemplate()
  const disk = openFaultyDisk(join(folder.path, 'svc-data'))
  const node = await folder.start({ args: ['server'], env: disk.env })
  try {
    const acknowledged: string[] = []
    const run = async (): Promise<void> => {
      const id = await tryRun(node, folder, 'quick', {})
      if (id === null) throw new Error('Refused.')
      acknowledged.push(id)
    }
    await run()
    for (const [fault, sentence] of faults) {
      disk.fail(fault)
      for (let n = 0; n < 20; n += 1) expect(await tryRun(node, folder, 'quick', {})).toBeNull()
      const refused = await fetch(`${node.url}/api/w/default/jobs/run/crash/quick`, {
        method: 'POST',
        headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
        body: '{}',
      })
      expect({ fault, status: refused.status }).toEqual({ fault, status: 503 })
      expect(await refused.text()).toMatch(sentence)
      expect(await healthOf(node)).toMatchObject({
        status: 503,
        json: { reason: expect.stringMatching(sentence) },
      })
      disk.heal()
      await expect.poll(() => healthOf(node), { timeout: 10_000 }).toMatchObject({ status: 200 })
      await run()
    }
    expect(await node.process.stop()).toBe(0)
    // the log may be on the same disk: one line of 10 s has all refusals of one cause
    const failures = node.process.said().match(/A request failed/g) ?? []
    expect(failures.length).toBeLessThan(20)
    const jobs = await audit(folder)
    for (const id of acknowledged) expect(jobs.has(id)).toBe(true)
  } finally {
    // the node still runs if a check failed
    node.process.child.kill('SIGKILL')
    folder.remove()
    disk.remove()
  }
})

test('a node that starts on a full disk reports it, waits, and serves when there is room', {
  timeout: 60_000,
}, async () => {
  const folder = await makeTemplate()
  const disk = openFaultyDisk(join(folder.path, 'svc-data'))
  disk.fail('full')
  const address = await freeAddress()
  const port = address.split(':')[1] ?? ''
  const svc = folder.launch({ args: ['start', '--port', port], env: disk.env })
  try {
    await svc.untilSaid(/disk of the database is full.*Trying again/)
    expect(await healthOf({ url: `http://${address}`, process: svc })).toMatchObject({
      status: 503,
      json: { reason: expect.stringContaining('disk of the database is full') },
    })
    disk.heal()
    const node = await untilReady(svc)
    expect(await tryRun(node, folder, 'quick', {})).not.toBeNull()
    expect(await svc.stop()).toBe(0)
  } finally {
    svc.child.kill('SIGKILL')
    folder.remove()
    disk.remove()
  }
})

const DATA_DIR_FULL = /disk of the data directory is full.*Trying again/
/** A start proves its sandbox, which is not what these tests are about. */
const NO_SANDBOX = { SVC_SANDBOX: 'node', SVC_SANDBOX_MIN_LEVEL: 'none' }

const places: readonly (readonly [name: string, fault: DiskFault, only: string, RegExp])[] = [
  ['the log of the database', 'no-files', '', /disk of the database is full.*Trying again/],
  ['the instance key', 'full', 'secret.key', DATA_DIR_FULL],
  ['the first password', 'no-files', 'initial-admin', DATA_DIR_FULL],
]

test.each(places)(
  'a node waits until there is room for %s',
  { timeout: 120_000 },
  async (...args) => {
    const [, fault, only, reason] = args
    const root = mkdtempSync(join(tmpdir(), 'svc-no-files-'))
    const dataDir = join(root, 'data')
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'svc.db'), '', { mode: 0o600 })
    const disk = openFaultyDisk(root)
    disk.fail(fault)
    const env = { ...disk.env, ...NO_SANDBOX, DISK_ONLY: only }
    const svc = startSvc(['server', '--data-dir', dataDir], { cwd: root, env })
    try {
      await svc.untilSaid(reason)
      disk.heal()
      await untilReady(svc)
      expect(await svc.stop()).toBe(0)
      // neither drafts nor probes
      const kept = ['git-push', 'initial-admin.txt', 'secret.key', 'svc.db']
      expect(readdirSync(dataDir).sort()).toEqual(kept)
    } finally {
      svc.child.kill('SIGKILL')
      rmSync(root, { recursive: true })
      disk.remove()
    }
  },
)
