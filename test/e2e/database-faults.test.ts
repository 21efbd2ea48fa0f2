/** The database of a node becomes unavailable and comes back, or its disk is full: callers get 503, and acknowledged jobs stay. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { startMigratedSqld } from '../support/migrated-sqld.ts'
import { startSqld } from '../support/sqld.ts'
import {
  audit,
  type Folder,
  makeTemplate,
  type Node,
  tryRun,
  untilAllEnded,
} from './durable-node.ts'

const healthOf = async ({ url }: Node): Promise<number> => (await fetch(`${url}/healthz`)).status

const untilHealth = async (node: Node, status: number): Promise<void> => {
  const deadline = performance.now() + 30_000
  while ((await healthOf(node)) !== status) {
    if (performance.now() > deadline) throw new Error(`healthz never answered ${status}.`)
    await sleep(100)
  }
}

const expectAllWell = async (
  folder: Pick<Folder, 'databaseUrl'>,
  acknowledged: readonly string[],
): Promise<void> => {
  const jobs = await audit(folder)
  for (const id of acknowledged) expect(jobs.get(id)).toMatchObject({ status: 'success', bills: 1 })
}

describe('a node on sqld', { timeout: 120_000 }, () => {
  test('answers 503 while sqld is dead, and recovers by itself with nothing lost', async () => {
    const sqld = await startMigratedSqld()
    const env = { SVC_DATABASE_URL: sqld.httpUrl, SVC_JOB_MAX_CRASHES: '20' }
    const folder = { ...(await makeTemplate(env)), databaseUrl: sqld.httpUrl }
    try {
      const node = await folder.start({ env })
      const acknowledged: string[] = []
      let isLoading = true
      const load = (async () => {
        for (let id = 0; isLoading; id += 1) {
          const job = await tryRun(node, folder, 'quick', { id })
          if (job === null) await sleep(20)
          else acknowledged.push(job)
        }
      })()
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(10), 30_000)
      await sqld.kill()
      await untilHealth(node, 503)
      const refused = await fetch(`${node.url}/api/w/default/apps`, {
        headers: { authorization: `Bearer ${folder.token}` },
      })
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).not.toBeNull()
      await sqld.restart()
      await untilHealth(node, 200)
      const before = acknowledged.length
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 10), 30_000)
      isLoading = false
      await load
      await untilAllEnded(folder, 60_000)
      expect(await node.process.stop()).toBe(0)
      await expectAllWell(folder, acknowledged)
    } finally {
      folder.remove()
      await sqld.close()
    }
  })
})

/** A small separate disk: a tmpfs, if this user may mount one. */
const mountSmallDisk = (): string | null => {
  const path = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', path], { stdio: 'ignore' })
    return path
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
}

const smallDisk = process.getuid?.() === 0 ? mountSmallDisk() : null

describe.runIf(smallDisk !== null)(
  'a node on sqld whose disk is full',
  {
    timeout: 120_000,
  },
  () => {
    test('answers 503 with the remedy, loses nothing, and goes on without a restart', async () => {
      const disk = mountSmallDisk() ?? ''
      const sqld = await startSqld({ directory: disk })
      const env = { SVC_DATABASE_URL: sqld.httpUrl }
      const folder = { ...(await makeTemplate(env)), databaseUrl: sqld.httpUrl }
      try {
        const node = await folder.start({ env })
        const acknowledged: string[] = []
        const ballast = join(disk, 'ballast')
        // room for a few jobs
        writeFileSync(ballast, Buffer.alloc(statfsSync(disk).bavail * 4_096 - 4 * 1_048_576))
        let refusal = ''
        for (let id = 0; id < 200 && refusal === ''; id += 1) {
          const answer = await fetch(`${node.url}/api/w/default/jobs/run/crash/quick`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${folder.token}`,
              'content-type': 'application/json',
            },
            // random, because svc compresses what it stores
            body: JSON.stringify({ id, ballast: randomBytes(200_000).toString('hex') }),
          })
          const text = await answer.text()
          if (answer.status === 201) acknowledged.push(JSON.parse(text).job_id)
          else refusal = `${answer.status} ${text}`
        }
        expect(refusal).toMatch(/^503 .*(disk of the database is full|reports a full disk)/)
        await untilHealth(node, 503)
        rmSync(ballast)
        await untilHealth(node, 200)
        const after = await tryRun(node, folder, 'quick', { id: 'after' })
        expect(after).not.toBeNull()
        await untilAllEnded(folder)
        expect(await node.process.stop()).toBe(0)
        expect(acknowledged).not.toEqual([])
        await expectAllWell(folder, [...acknowledged, after ?? ''])
      } finally {
        folder.remove()
        await sqld.kill()
        execFileSync('umount', ['-l', disk])
        rmSync(disk, { recursive: true, force: true })
      }
    })
  },
)

describe.runIf(smallDisk !== null)('a node whose disk is full', { timeout: 90_000 }, () => {
  test('answers 503, loses nothing that it acknowledged, and goes on when there is space', async () => {
    const disk = smallDisk ?? ''
    const dataDir = join(disk, 'data')
    mkdirSync(dataDir)
    const env = { SVC_DATA_DIR: dataDir }
    const template = await makeTemplate(env)
    const folder = { ...template, databaseUrl: `file:${join(dataDir, 'svc.db')}` }
    try {
      const node = await folder.start({ env })
      const acknowledged: string[] = []
      const first = await tryRun(node, folder, 'quick', { id: 0 })
      if (first !== null) acknowledged.push(first)
      const ballast = join(disk, 'ballast')
      try {
        for (let part = 0; part < 100; part += 1) {
          writeFileSync(`${ballast}-${part}`, Buffer.alloc(256 * 1024))
        }
      } catch {
        // the disk is full
      }
      let refusal = ''
      for (let id = 1; id < 2_000 && refusal === ''; id += 1) {
        const answer = await fetch(`${node.url}/api/w/default/jobs/run/crash/quick`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${folder.token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ id, ballast: 'x'.repeat(20_000) }),
        })
        const text = await answer.text()
        if (answer.status === 201) acknowledged.push(JSON.parse(text).job_id)
        else {
          expect(answer.status).toBe(503)
          refusal = text
        }
      }
      expect(refusal).toContain('disk')
      for (let part = 0; part < 100; part += 1) rmSync(`${ballast}-${part}`, { force: true })
      const after = await tryRun(node, folder, 'quick', { id: 'after' })
      expect(after).not.toBeNull()
      await untilAllEnded(folder)
      expect(await node.process.stop()).toBe(0)
      await expectAllWell(folder, [...acknowledged, after ?? ''])
    } finally {
      template.remove()
      execFileSync('umount', ['-l', disk])
      rmSync(disk, { recursive: true, force: true })
    }
  })
})
