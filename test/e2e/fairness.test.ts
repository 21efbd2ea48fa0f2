/** Two tenants on one node: the queued jobs of one make the other wait at most for a free slot (invariant I16). */
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'
import { PROGRAM } from '../support/svc-process.ts'
import { deployTo, LONG_LEASE } from './durable-node.ts'
import { openFleet } from './fleet.ts'

const JOBS = 400
const JOB_MS = 250
/** Half of the time that the other tenant's jobs take on the node's two slots. */
const MOST_MS = (JOBS * JOB_MS) / 4

test('a no-op of one workspace does not wait for the 400 jobs of priority 100 of another', {
  timeout: 120_000,
}, async () => {
  const fleet = await openFleet('file', LONG_LEASE)
  try {
    const node = await fleet.start('start', { args: ['--concurrency', '2'] })
    const admin = { authorization: `Bearer ${fleet.folder.token}` }
    const json = { ...admin, 'content-type': 'application/json' }
    const made = await fetch(`${node.url}/api/admin/workspaces`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ id: 'other', name: 'Other' }),
    })
    expect(made.status).toBe(201)
    const [command = '', ...program] = PROGRAM
    const create = [...program, 'create-token', 'other', 'admin@localhost']
    const env = { PATH: process.env.PATH }
    const token = execFileSync(command, create, { cwd: fleet.folder.path, env, encoding: 'utf8' })
    await deployTo({ url: node.url, ws: 'other', token: token.trim(), path: fleet.folder.path })
    const call = (path: string, by: string, body: unknown) =>
      fetch(`${node.url}/api/w/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const run = '/jobs/run/crash'
    const noop = async (): Promise<number> => {
      const before = performance.now()
      const answer = await call(`other${run}/quick/wait`, token.trim(), { id: 1 })
      expect(answer.status).toBe(200)
      return performance.now() - before
    }
    const alone = await noop()
    await Promise.all(
      Array.from({ length: JOBS }, (_, id) =>
        call(`default${run}/slow?priority=100`, fleet.folder.token, { id, ms: JOB_MS }).then(
          ({ status }) => expect(status).toBe(201),
        ),
      ),
    )
    const times = [await noop(), await noop(), await noop()]
    process.stdout.write(
      `${JSON.stringify({ alone: Math.round(alone), together: times.map(Math.round) })}\n`,
    )
    expect(Math.max(...times)).toBeLessThan(MOST_MS)
    const waiting = await fleet.call(node, 'GET', '/jobs?status=queued&limit=1')
    expect(waiting.json).toMatchObject({ items: [{ status: 'queued' }] })
  } finally {
    await fleet.close()
  }
})
