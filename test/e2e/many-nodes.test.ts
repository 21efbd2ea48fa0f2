/** Servers, workers and schedulers as separate processes over one database act as one, whichever gets a request. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Node } from './durable-node.ts'
import { type Fleet, type FleetBackend, openFleet } from './fleet.ts'

const BACKENDS: readonly FleetBackend[] = ['file', 'sqld']

const workerList = z.object({
  workers: z.array(z.looseObject({ name: z.string(), tags: z.array(z.string()) })),
})

describe.each(BACKENDS)('many nodes over %s', { timeout: 60_000 }, (backend) => {
  let fleet: Fleet
  let servers: readonly [Node, Node]
  let workers: readonly [Node, Node]
  let scheduler: Node
  beforeAll(async () => {
    fleet = await openFleet(backend)
    servers = await Promise.all([fleet.start('server'), fleet.start('server')])
    workers = await Promise.all([
      fleet.start('worker', { args: ['--name', 'plain', '--concurrency', '2'] }),
      fleet.start('worker', { args: ['--name', 'gpu', '--tags', 'gpu', '--group', 'special'] }),
    ])
    scheduler = await fleet.start('scheduler')
  }, 120_000)
  afterAll(() => fleet.close())

  const call = (node: Node, method: string, path: string, json?: unknown) =>
    fleet.call(node, method, path, json)
  const namesAt = async (node: Node): Promise<readonly string[]> =>
    workerList.parse((await call(node, 'GET', '/workers')).json).workers.map(({ name }) => name)
  const untilNames = (node: Node, names: readonly string[]) =>
    vi.waitFor(async () => expect(await namesAt(node)).toEqual(names), {
      timeout: 40_000,
      interval: 200,
    })

  test('each server knows the workers', async () => {
    for (const server of servers) await untilNames(server, ['gpu', 'plain'])
    const { json } = await call(servers[1], 'GET', '/workers')
    expect(json).toMatchObject({
      workers: [
        { name: 'gpu', group: 'special', tags: ['gpu'], running: 0 },
        { name: 'plain', group: 'default', tags: ['default'], concurrency: 2 },
      ],
    })
  })

  test('a job runs on the worker of its tag', async () => {
    const answer = await call(servers[0], 'POST', '/jobs/run/crash/quick/wait?tag=gpu', { id: 1 })
    const { job_id } = z.object({ job_id: z.string() }).parse(answer.json)
    expect((await call(servers[1], 'GET', `/jobs/${job_id}`)).json).toMatchObject({
      tag: 'gpu',
      worker: 'gpu',
      status: 'success',
    })
  })

  test('a running job is followed at one server and canceled at the other', async () => {
    const run = await call(servers[0], 'POST', '/jobs/run/crash/slow', { ms: 20_000 })
    const { job_id } = z.object({ job_id: z.string() }).parse(run.json)
    const events = await fetch(`${servers[1].url}/api/w/default/jobs/${job_id}/events`, {
      headers: { authorization: `Bearer ${fleet.folder.token}` },
    })
    const followed = events.text()
    await vi.waitFor(
      async () =>
        expect((await call(servers[1], 'GET', `/jobs/${job_id}`)).json).toMatchObject({
          status: 'running',
        }),
      { timeout: 10_000, interval: 50 },
    )
    // at the next renewal of its lease at the latest, so before a job ends that takes two seconds
    const other = call(servers[0], 'POST', '/jobs/run/crash/slow/wait', { ms: 2_000 })
    await call(servers[0], 'POST', `/jobs/${job_id}/cancel`)
    expect(await Promise.race([followed, other])).toMatch(/running[\s\S]*canceled/)
    await other
  })

  test('a schedule made at a server is fired by the scheduler and run by a worker', async () => {
    const made = await call(servers[1], 'POST', '/schedules', {
      app_key: 'crash',
      action_key: 'quick',
      cron: '@every 1s',
    })
    expect(made.status).toBe(201)
    const { id } = z.object({ id: z.string() }).parse(made.json)
    await vi.waitFor(
      async () => {
        const { json } = await call(servers[0], 'GET', '/jobs?trigger_kind=schedule&status=success')
        expect(z.object({ items: z.array(z.unknown()) }).parse(json).items.length).toBeGreaterThan(
          1,
        )
      },
      { timeout: 15_000, interval: 200 },
    )
    expect((await call(servers[0], 'DELETE', `/schedules/${id}`)).status).toBe(204)
  })

  test('a worker that dies is gone from the list, its job runs elsewhere', async () => {
    const extra = await fleet.start('worker', { args: ['--name', 'doomed', '--tags', 'doomed'] })
    await untilNames(servers[0], ['doomed', 'gpu', 'plain'])
    const run = await call(servers[0], 'POST', '/jobs/run/crash/slow?tag=doomed', { ms: 1_000 })
    const { job_id } = z.object({ job_id: z.string() }).parse(run.json)
    await vi.waitFor(
      async () =>
        expect((await call(servers[1], 'GET', `/jobs/${job_id}`)).json).toMatchObject({
          status: 'running',
        }),
      { timeout: 10_000, interval: 20 },
    )
    extra.process.child.kill('SIGKILL')
    await extra.process.ended
    const heir = await fleet.start('worker', { args: ['--name', 'heir', '--tags', 'doomed'] })
    await vi.waitFor(
      async () =>
        expect((await call(servers[1], 'GET', `/jobs/${job_id}`)).json).toMatchObject({
          status: 'success',
          // not run by the worker that died; on a busy machine the heir may lose its own lease once
          worker: 'heir',
        }),
      { timeout: 20_000, interval: 200 },
    )
    expect(await heir.process.stop()).toBe(0)
    await untilNames(servers[1], ['gpu', 'plain'])
  })

  test('without any server the workers go on, and are joined again when one is back', async () => {
    const run = await call(servers[0], 'POST', '/jobs/run/crash/slow', { ms: 1_500 })
    const { job_id } = z.object({ job_id: z.string() }).parse(run.json)
    for (const server of servers) server.process.child.kill('SIGKILL')
    await Promise.all(servers.map((server) => server.process.ended))
    const next = await fleet.start('server')
    await vi.waitFor(
      async () =>
        expect((await call(next, 'GET', `/jobs/${job_id}`)).json).toMatchObject({
          status: 'success',
          // run by a worker from before; on a busy machine it may lose its lease once
          worker: 'plain',
        }),
      { timeout: 30_000, interval: 200 },
    )
    await untilNames(next, ['gpu', 'plain'])
    for (const node of [...workers, scheduler, next]) expect(await node.process.stop()).toBe(0)
  })
})
