/**
 * Jobs and flow runs that wait across a restart and a second deployment, with a file and with sqld. Events from before and
 * during the wait wake them, and each continues with the code it began with [events 2] [durable 1].
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startSqld } from '../support/sqld.ts'
import { type Folder, LONG_LEASE, makeTemplate, type Node } from './durable-node.ts'

const MANIFEST = `key: waits
name: Waits
actions:
  - { key: waits, entrypoint: waits.ts }
  - { key: sends, entrypoint: sends.ts }
  - { key: sleeps, entrypoint: sleeps.ts }
  - { key: version, entrypoint: version.ts }
flows:
  - key: waits
    steps:
      - { key: cool-off, kind: sleep, forS: 2 }
      - { key: early, kind: event, name: early, match: "\${input.order}" }
      - { key: late, kind: event, name: late, match: "\${input.order}" }
      - { key: use, action: version, input: { early: "\${results.early.data}", late: "\${results.late.data}" } }
`

const codeOf = (version: number): Readonly<Record<string, string>> => ({
  'app.yaml': MANIFEST,
  'version.ts': `export const main = (ctx) => ({ version: ${version}, ...ctx.input })\n`,
  'waits.ts': `export const main = async (ctx) => {
  const match = ctx.input.order
  await ctx.sleep('cool-off', { seconds: 2 })
  const early = await ctx.waitForEvent('early', { name: 'early', match })
  const late = await ctx.waitForEvent('late', { name: 'late', match })
  return { version: ${version}, early: early.data, late: late.data }
}\n`,
  'sleeps.ts': `export const main = async (ctx) => {
  const before = await ctx.step('before', () => ${version})
  await ctx.sleep('a', { seconds: 3 })
  await ctx.sleep('b', { seconds: 1 })
  return [before, await ctx.step('after', () => ${version})]
}\n`,
  'sends.ts': `export const main = async (ctx) => {
  const { eventId } = await ctx.sendEvent('late', { key: ctx.input.order, data: 'late' })
  return eventId
}\n`,
})

const caller = ({ url }: Node, { token }: Folder) => {
  const headers = { authorization: `Bearer ${token}` }
  const read = async (answer: Response): Promise<unknown> => {
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const base = `${url}/api/w/default`
  return {
    get: async (path: string) => read(await fetch(`${base}${path}`, { headers })),
    post: async (path: string, body: object) =>
      read(
        await fetch(`${base}${path}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    deploy: async (folder: Folder, version: number) => {
      const app = join(folder.path, `waits-${version}`)
      mkdirSync(app)
      for (const [name, text] of Object.entries(codeOf(version))) {
        writeFileSync(join(app, name), text)
      }
      const form = new FormData()
      const archive = execFileSync('tar', ['-cz', '-C', app, '.'])
      form.set('bundle', new Blob([archive]), 'app.tar.gz')
      return read(await fetch(`${base}/deployments`, { method: 'POST', headers, body: form }))
    },
  }
}

const seen = z.looseObject({
  status: z.string(),
  commit: z.string().optional(),
  attempt: z.number().optional(),
  result: z.json().optional(),
  suspended: z.object({ kind: z.string(), name: z.string() }).nullish(),
  current_step: z.object({ key: z.string() }).nullish(),
})
type Seen = z.infer<typeof seen>
type Caller = ReturnType<typeof caller>

const until = async (
  api: Caller,
  path: string,
  isSo: (seen: Seen) => boolean,
  withinMs = 30_000,
): Promise<Seen> => {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = seen.parse(await api.get(path))
    if (isSo(found)) return found
    if (performance.now() > deadline) throw new Error(`${path} is ${JSON.stringify(found)}`)
    await sleep(50)
  }
}
const jobId = async (api: Caller, action: string, input: object): Promise<string> =>
  z.object({ job_id: z.string() }).parse(await api.post(`/jobs/run/waits/${action}`, input)).job_id

test.each(['file', 'sqld'])(
  'waits and sleeps go on over a restart and a deployment: %s',
  { timeout: 120_000 },
  async (backend) => {
    const sqld = backend === 'sqld' ? await startSqld() : null
    const env: Record<string, string> = {
      ...LONG_LEASE,
      ...(sqld === null ? {} : { SVC_DATABASE_URL: sqld.httpUrl }),
    }
    const folder = await makeTemplate(env)
    const nodes: Node[] = []
    try {
      const first = await folder.start({ env })
      nodes.push(first)
      let api = caller(first, folder)
      await api.deploy(folder, 1)
      const order = 'o 1'
      const job = `/jobs/${await jobId(api, 'waits', { order })}`
      const sleeper = `/jobs/${await jobId(api, 'sleeps', {})}`
      const started = await api.post('/flows/run/waits/waits', { order })
      const run = `/flow-runs/${z.object({ flow_run_id: z.string() }).parse(started).flow_run_id}`
      const { commit } = await until(api, job, ({ suspended }) => suspended?.name === 'cool-off')
      await until(api, sleeper, ({ suspended }) => suspended?.name === 'a')
      await until(api, run, ({ current_step }) => current_step?.key === 'cool-off')
      // sent before the waits are open
      const sent = await api.post('/events', { name: 'early', key: order, data: 'early' })
      expect(sent).toMatchObject({ delivered: 0 })
      await api.deploy(folder, 2)
      await first.process.stop()

      const second = await folder.start({ env })
      nodes.push(second)
      api = caller(second, folder)
      await until(api, job, ({ suspended }) => suspended?.name === 'late')
      await until(api, run, ({ current_step }) => current_step?.key === 'late')
      const sender = `/jobs/${await jobId(api, 'sends', { order })}`
      const isOver = ({ status }: Seen): boolean => !['queued', 'running'].includes(status)
      expect(await until(api, sender, isOver)).toMatchObject({
        status: 'success',
        result: expect.any(String),
      })
      const result = { version: 1, early: 'early', late: 'late' }
      expect(await until(api, job, isOver)).toMatchObject({ result, commit, attempt: 1 })
      expect(await until(api, run, isOver)).toMatchObject({ status: 'completed', result })
      expect(await until(api, sleeper, isOver)).toMatchObject({
        result: [1, 1],
        commit,
        attempt: 1,
      })
      const fresh = `/jobs/${await jobId(api, 'version', {})}`
      expect(await until(api, fresh, isOver)).toMatchObject({ result: { version: 2 } })
    } finally {
      for (const node of nodes) await node.process.stop()
      folder.remove()
      await sqld?.close()
    }
  },
)
