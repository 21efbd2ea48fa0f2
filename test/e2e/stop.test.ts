/** Stopping and pausing nodes under load [jobs 8.9]. */
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  audit,
  type Folder,
  LONG_LEASE,
  makeTemplate,
  tryRun,
  untilAllEnded,
  withCopyOf,
} from './durable-node.ts'

let template: Folder
beforeAll(async () => {
  template = await makeTemplate()
})
afterAll(() => template.remove())

const withFolder = (work: (folder: Folder) => Promise<void>): Promise<void> =>
  withCopyOf(template, work)

const untilRunning = async (folder: Folder, id: string | null): Promise<void> => {
  for (;;) {
    if ((await audit(folder)).get(id ?? '')?.status === 'running') return
    await sleep(50)
  }
}

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )

describe.concurrent('a node', { timeout: 90_000 }, () => {
  test('on SIGTERM ends with 0; what had no time to finish goes back uncounted and runs elsewhere', async () => {
    await withFolder(async (folder) => {
      // room for a busy machine: the short job ends within the grace period, and the long one does not
      const node = await folder.start({ env: { ...LONG_LEASE, SVC_SHUTDOWN_GRACE_S: '3' } })
      const short = await tryRun(node, folder, 'slow', { id: 'short', ms: 1_500 })
      const long = await tryRun(node, folder, 'slow', { id: 'long', ms: 8_000 })
      await untilRunning(folder, long)
      // jobs whose processes are still starting go back at once
      await sleep(700)
      expect(await node.process.stop()).toBe(0)
      const stopped = await audit(folder)
      const said = node.process.said()
      expect(stopped.get(short ?? ''), said).toMatchObject({ status: 'success', attempt: 1 })
      expect(stopped.get(long ?? ''), said).toMatchObject({ status: 'queued', crashes: 0 })
      const next = await folder.start({ env: LONG_LEASE })
      await untilAllEnded(folder)
      expect(await next.process.stop()).toBe(0)
      expect((await audit(folder)).get(long ?? '')).toMatchObject({
        status: 'success',
        attempt: 2,
        crashes: 0,
        bills: 1,
      })
    })
  })

  test('on a second signal ends at once', async () => {
    await withFolder(async (folder) => {
      // the test ends long before the job or the time that the job has
      const node = await folder.start({ env: { ...LONG_LEASE, SVC_SHUTDOWN_GRACE_S: '600' } })
      const id = await tryRun(node, folder, 'slow', { id: 1, ms: 600_000 })
      await untilRunning(folder, id)
      node.process.child.kill('SIGTERM')
      await node.process.untilSaid(/Stopping: running jobs have 600 s/)
      node.process.child.kill('SIGTERM')
      expect(await node.process.ended).toBe(1)
      expect((await audit(folder)).get(id ?? '')?.status).toBe('running')
    })
  })

  test('that stood still longer than its lease is fenced off: its late result changes nothing', async () => {
    await withFolder(async (folder) => {
      const server = await folder.start({ args: ['server'] })
      const scheduler = await folder.start({ args: ['scheduler'] })
      const worker = (name: string) =>
        folder.start({ args: ['worker', '--name', name, '--concurrency', '1'] })
      const paused = await worker('paused')
      const id = await tryRun(server, folder, 'slow', { id: 1, ms: 1_000 })
      await untilRunning(folder, id)
      paused.process.child.kill('SIGSTOP')
      const other = await worker('other')
      await untilAllEnded(folder)
      paused.process.child.kill('SIGCONT')
      await sleep(1_500)
      const job = (await audit(folder)).get(id ?? '')
      expect(job).toMatchObject({ status: 'success', worker: 'other', bills: 1 })
      // not the attempt that was paused; on a busy machine the other worker may lose its own lease once
      expect(job?.attempt).toBeGreaterThan(1)
      // the worker continues
      const next = await tryRun(server, folder, 'quick', { id: 2 })
      await untilAllEnded(folder)
      expect((await audit(folder)).get(next ?? '')).toMatchObject({ status: 'success' })
      for (const node of [paused, other, scheduler, server]) {
        expect(await node.process.stop()).toBe(0)
      }
    })
  })

  test('whose sandbox process is killed loses that run alone', async () => {
    await withFolder(async (folder) => {
      // on a busy machine, a short lease ends first, and the job runs again
      const node = await folder.start({ env: { SVC_JOB_LEASE_S: '30' } })
      const victim = await tryRun(node, folder, 'slow', { id: 'victim', ms: 60_000 })
      await untilRunning(folder, victim)
      await sleep(500)
      const { pid = 0 } = node.process.child
      const yields = (of: number) => Number(readFileSync(`/proc/${of}/oom_score_adj`, 'utf8'))
      const most = Math.max(...childrenOf(pid).map(yields))
      expect(most, 'the kernel spares the node').toBe(Math.min(yields(pid) + 500, 1_000))
      for (const child of childrenOf(pid)) process.kill(child, 'SIGKILL')
      const after = await tryRun(node, folder, 'quick', { id: 'after' })
      await untilAllEnded(folder)
      const jobs = await audit(folder)
      expect(jobs.get(after ?? '')).toMatchObject({ status: 'success' })
      expect(jobs.get(victim ?? '')).toMatchObject({ status: 'failure', bills: 1 })
      expect(await node.process.stop()).toBe(0)
    })
  })
})
