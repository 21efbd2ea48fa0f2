/**
 * sqld on a slow disk, behind a network that loses its answers after the commit: nothing acknowledged is lost, a repeated request
 * makes no second job, and no attempt of a job runs twice, according to an outside witness.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createChance } from '../chaos/random.ts'
import { type ProxyFault, startFaultProxy } from '../support/fault-proxy.ts'
import { openFaultyDisk } from '../support/faulty-disk.ts'
import { makeMigratedDirectory } from '../support/migrated-sqld.ts'
import { portOf } from '../support/port-of.ts'
import { runs } from '../support/runs.ts'
import { startSqld } from '../support/sqld.ts'
import { audit, type Folder, makeTemplate, type Node, untilAllEnded } from './durable-node.ts'

const SYNC_MS = '60'
const FAULTS: readonly ProxyFault[] = ['cut_answer', 'hold', 'end_answer']
const ROUNDS = FAULTS.length * runs({ short: 3, long: 20 })

/** Runs report to it when they begin. @returns the number of reports of each attempt */
const startWitness = async () => {
  const seen = new Map<string, number>()
  const server = createServer((request, response) => {
    const run = request.url ?? ''
    seen.set(run, (seen.get(run) ?? 0) + 1)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { seen, port: portOf(server), close: () => server.close() }
}

const deploy = async ({ url }: Node, { token, path }: Folder, port: number): Promise<void> => {
  const app = join(path, 'witnessed')
  mkdirSync(app)
  const manifest = `key: seen\nactions:\n  - { key: job, entrypoint: job.ts, network: ['127.0.0.1:${port}'] }\n`
  writeFileSync(join(app, 'app.yaml'), manifest)
  const script = `export const main = async ({ job }) => {
    await fetch(\`http://127.0.0.1:${port}/\${job.id}/\${job.attempt}\`)
    return { attempt: job.attempt }
  }\n`
  writeFileSync(join(app, 'job.ts'), script)
  const form = new FormData()
  form.set('bundle', new Blob([execFileSync('tar', ['-cz', '-C', app, '.'])]), 'app.tar.gz')
  const answer = await fetch(`${url}/api/w/default/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

/** Sends a request until it is acknowledged, to either node. @returns the id of the job */
const request = async (nodes: readonly Node[], { token }: Folder, key: string): Promise<string> => {
  const deadline = performance.now() + 90_000
  for (let tries = 0; performance.now() < deadline; tries += 1) {
    const node = nodes[tries % nodes.length]
    const answer = await fetch(`${node?.url}/api/w/default/jobs/run/seen/job`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: '{}',
    })
    const text = await answer.text()
    if (answer.status === 201 || answer.status === 200) return JSON.parse(text).job_id
    if (answer.status !== 503) throw new Error(`${answer.status} ${text}`)
    await sleep(100)
  }
  throw new Error(`Never acknowledged: ${key}`)
}

test('lost answers of a slow database lose no acknowledgement and run no attempt twice', {
  timeout: 240_000,
}, async () => {
  const seed = Date.now() % 1_000_000
  process.stdout.write(`slow disk: seed ${seed}\n`)
  const chance = createChance(seed)
  // migrations would wait for the disk a hundred times, which proves nothing about what is lost later
  const directory = await makeMigratedDirectory()
  const disk = openFaultyDisk(directory)
  const { DISK_SYNCED: _, ...slow } = disk.env
  const sqld = await startSqld({ directory, env: { ...slow, DISK_SLOW_MS: SYNC_MS } })
  const proxy = await startFaultProxy(sqld.httpUrl)
  const witness = await startWitness()
  const shared = { SVC_EGRESS_ALLOW: `127.0.0.1:${witness.port}`, SVC_JOB_MAX_CRASHES: '50' }
  const direct = { ...shared, SVC_DATABASE_URL: sqld.httpUrl }
  const folder = { ...(await makeTemplate(direct)), databaseUrl: sqld.httpUrl }
  try {
    const env = { ...shared, SVC_DATABASE_URL: proxy.url, SVC_JOB_LEASE_S: '6' }
    const nodes = [await folder.start({ env }), await folder.start({ env })]
    const [first] = nodes
    if (first === undefined) throw new Error('No node.')
    await deploy(first, folder, witness.port)
    const acknowledged: string[] = []
    let isLoading = true
    const load = Promise.all(
      Array.from({ length: 4 }, async (_each, caller) => {
        for (let id = 0; isLoading; id += 1) {
          acknowledged.push(await request(nodes, folder, `${caller}-${id}`))
        }
      }),
    )
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(chance.between(300, 900))
      proxy.set(FAULTS[round % FAULTS.length] ?? 'hold')
      await sleep(chance.between(100, 1_500))
      proxy.set('none')
    }
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(30), 60_000)
    isLoading = false
    await load
    await untilAllEnded(folder, 60_000)
    for (const node of nodes) expect(await node.process.stop()).toBe(0)
    const jobs = await audit(folder)
    // one job for each key, however often its request was sent
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    expect([...jobs.keys()].sort()).toEqual(acknowledged.toSorted())
    for (const job of jobs.values()) {
      expect(job).toMatchObject({ status: 'success', bills: 1 })
      expect(JSON.parse(job.result)).toEqual({ attempt: job.attempt })
      // a worker whose database answers no more loses its job, and may have reported before
      expect(job.attempt).toBe(job.crashes + 1)
    }
    const twice = [...witness.seen].filter(([, times]) => times > 1)
    expect(twice).toEqual([])
  } finally {
    folder.remove()
    witness.close()
    await proxy.close()
    await sqld.close()
    disk.remove()
  }
})
