/**
 * A rolling upgrade under load [wire 9.5, 9.6]: nodes are replaced one by one by those of the next release, which migrates
 * the database first. No request fails, no job is lost or runs twice, and schedules go on. `make rolling` runs the long
 * form. With BASE=<commit>, the older release is that commit, and the newer one is this source.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { sql } from '#store/sql.ts'
import { isLong } from '../../support/runs.ts'
import { FROM_SOURCE, PROGRAM } from '../../support/svc-process.ts'
import { audit, LONG_LEASE, type Node, untilAllEnded } from '../durable-node.ts'
import { auditSlots, type Fleet, type FleetBackend, openFleet } from '../fleet.ts'
import { checkOutRelease } from './base-release.ts'
import { startLoad } from './load.ts'
import { makeNextRelease, type Release } from './next-release.ts'

const BACKENDS: readonly FleetBackend[] = isLong ? ['sqld', 'file'] : ['sqld']
const ROLES: readonly (readonly [role: string, count: number])[] = isLong
  ? [
      ['server', 2],
      ['worker', 4],
      ['scheduler', 2],
    ]
  : [
      ['server', 1],
      ['worker', 1],
      ['scheduler', 1],
    ]
const SCHEDULES = 3
/**
 * A scheduler that stops gives up its leadership, and another one that sees a due schedule
 * fires it 250 ms later. The rest is the start of a process on a busy machine.
 */
const MOST_SILENT_MS = isLong ? 3_000 : 8_000
/** The commit of the older release. If empty, this source is the older release. */
const BASE = process.env.ROLLING_BASE ?? ''
const isNext = BASE === ''
const NEWER = /A newer svc has migrated the database/g

let older: Release
let newer: Release
beforeAll(() => {
  if (isNext) {
    older = { program: PROGRAM, schema: SCHEMA_VERSION, remove: () => undefined }
    newer = makeNextRelease()
  } else {
    older = checkOutRelease(BASE)
    newer = { program: FROM_SOURCE, schema: SCHEMA_VERSION, remove: () => undefined }
  }
})
afterAll(() => {
  older.remove()
  newer.remove()
})

type Member = Readonly<{ role: string; node: Node; name: string }>

const argsOf = (role: string, name: string): readonly string[] =>
  role === 'worker' ? ['--concurrency', '4', '--name', name] : []

const startMember = async (fleet: Fleet, role: string, name: string, release: Release) => {
  const health = role === 'server' ? [] : ['--health-port', '0']
  const args = [...argsOf(role, name), ...health]
  const node = await fleet.start(role, { args, program: release.program, env: LONG_LEASE })
  return { role, node, name }
}

const health = z.object({
  status: z.literal('ok'),
  schema: z.object({ known: z.number(), database: z.number() }),
})

const flowRun = z.object({ flow_run_id: z.string() })
const runState = z.looseObject({ status: z.string() })

/** Deploys an app with a flow that only the next release can read. */
const deployLater = async (url: string, token: string): Promise<void> => {
  const app = mkdtempSync(join(tmpdir(), 'svc-later-'))
  const files = {
    'app.yaml': `key: later
actions: [{ key: one, entrypoint: one.ts }]
flows: [{ key: all, later: true, steps: [{ key: one, action: one }, { key: two, action: one }] }]
`,
    'one.ts': 'export const main = () => 1\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text)
  const form = new FormData()
  form.set('bundle', new Blob([execFileSync('tar', ['-cz', '-C', app, '.'])]), 'app.tar.gz')
  rmSync(app, { recursive: true })
  const answer = await fetch(`${url}/api/w/default/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  expect(answer.status, await answer.text()).toBe(201)
}

test.each(BACKENDS)(
  'a rolling upgrade over %s loses nothing',
  { timeout: 300_000 },
  async (backend) => {
    const fleet = await openFleet(backend, {}, {}, older.program)
    try {
      const members: Member[] = []
      for (const [role, count] of ROLES) {
        const names = Array.from({ length: count }, (_, at) => `${role}-${at + 1}`)
        members.push(
          ...(await Promise.all(names.map((name) => startMember(fleet, role, name, older)))),
        )
      }
      const oldMembers = [...members]
      const servers = new Set(
        members.filter(({ role }) => role === 'server').map(({ node }) => node),
      )
      const [first] = servers
      if (first === undefined) throw new Error('No server.')
      for (let at = 0; at < SCHEDULES; at += 1) {
        const options = { app_key: 'crash', action_key: 'quick', cron: '@every 1s' }
        expect((await fleet.call(first, 'POST', '/schedules', options)).status).toBe(201)
      }
      const load = startLoad({ servers, token: fleet.folder.token })
      const runs: string[] = []

      /** The last member of a role ends only when its successor is there; any other member ends before. */
      const replace = async (member: Member): Promise<void> => {
        const { role, node, name } = member
        const isLast = members.filter((other) => other.role === role).length === 1
        const stop = async (): Promise<void> => {
          expect(await node.process.stop()).toBe(0)
          servers.delete(node)
          members.splice(members.indexOf(member), 1)
        }
        if (!isLast) await stop()
        const next = await startMember(fleet, role, name, newer)
        if (role === 'server') servers.add(next.node)
        if (isNext && runs.length === 0) await useNext(next.node)
        if (isLast) await stop()
        members.push(next)
      }
      /** Nodes of the older release go on with the newer schema, and leave alone what they cannot read. */
      const useNext = async (next: Node): Promise<void> => {
        for (const { node, role } of members) {
          await vi.waitFor(
            async () => {
              const answer = health.parse(await (await fetch(`${node.url}/healthz`)).json())
              expect(answer.schema, role).toEqual({ known: older.schema, database: newer.schema })
            },
            { timeout: 30_000, interval: 250 },
          )
        }
        await deployLater(next.url, fleet.folder.token)
        const answer = await fleet.call(next, 'POST', '/flows/run/later/all', {})
        runs.push(flowRun.parse(answer.json).flow_run_id)
      }

      for (const member of oldMembers) await replace(member)
      const { accepted, moved, failed, slowestMs } = await load.stop()
      await Promise.all(
        [...members]
          .filter(({ role }) => role === 'scheduler')
          .map(({ node }) => node.process.stop()),
      )
      await untilAllEnded(fleet.folder, 60_000)
      const slots = await fleet.read((db) => auditSlots(db, 1_000))
      process.stdout.write(
        `rolling over ${backend}: ${JSON.stringify({ accepted: accepted.length, moved, slowestMs, ...slots })}\n`,
      )
      expect(failed).toEqual([])
      const jobs = await audit(fleet.folder)
      const lost = accepted.filter((id) => jobs.get(id)?.status !== 'success')
      const doubled = [...jobs.values()].filter(
        ({ attempt, bills, crashes }) => attempt !== 1 || bills !== 1 || crashes !== 0,
      )
      expect({ lost, doubled }).toEqual({ lost: [], doubled: [] })
      const ofRuns = await fleet.read((db) =>
        db.all(sql`SELECT id FROM jobs WHERE flow_run_id IS NOT NULL`),
      )
      // each job belongs to an acknowledged request, a fire time or a run
      expect(jobs.size).toBe(accepted.length + slots.jobs + ofRuns.length)
      expect(slots).toMatchObject({ skipped: 0, tooSoon: 0, jobs: slots.fired })
      expect(slots.longestGapMs).toBeLessThan(MOST_SILENT_MS)
      for (const run of runs) {
        const [server] = servers
        if (server === undefined) throw new Error('No server.')
        const { json } = await fleet.call(server, 'GET', `/flow-runs/${run}`)
        expect(runState.parse(json).status).toBe('completed')
      }
      const reports = oldMembers.map(({ node }) => node.process.said().match(NEWER)?.length ?? 0)
      // others may see the schema between two migrations, or end before they look
      const isWrong = (count: number): boolean =>
        count > newer.schema - older.schema || (isNext && count === 0)
      // the one that was replaced first had already ended
      expect(reports.slice(1).filter(isWrong)).toEqual([])
    } finally {
      await fleet.close()
    }
  },
)
