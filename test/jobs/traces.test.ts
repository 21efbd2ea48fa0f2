/** The trace of a caller, through the queue, flows and the jobs that jobs start, into the script and its requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRun } from '#service/flows/start-run.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import { sql } from '#store/sql.ts'
import { RUNTIMES } from '../sandbox/job.ts'
import { completeJob } from '../support/complete-job.ts'
import { deployTexts } from '../support/deploy-texts.ts'
import { APP, BY, type Queue, WS } from '../support/open-queue.ts'
import { openRunner } from '../support/open-runner.ts'

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

const CODE = `import process from 'node:process'
globalThis.fetch = async (input, init) => new Headers(init?.headers).get('traceparent')
export const main = async (ctx) => {
  const sent = await ctx.fetch('http://api.example.com/', { headers: { accept: 'a/b' } })
  const own = await ctx.fetch('http://api.example.com/', { headers: { traceparent: 'own' } })
  if (ctx.input.starts) { await ctx.run('shows', {}); await ctx.startFlow('outer', {}) }
  return { env: process.env.TRACEPARENT ?? null, sent, own }
}`
const MANIFEST = `key: ${APP}
name: Traces
actions:
  - { key: shows, entrypoint: shows.js }
flows:
  - key: outer
    steps:
      - { key: a, action: shows, input: {} }
      - { key: b, kind: subflow, subflow: inner, input: {} }
  - { key: inner, steps: [{ key: c, action: shows, input: {} }] }
`

describe.each(RUNTIMES)('under %s', (_, provider) => {
  let queue: Queue
  let runner: JobRunner
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ queue, runner, close } = await openRunner(provider()))
    await deployTexts(queue.deps, { 'app.yaml': MANIFEST, 'shows.js': CODE })
  })
  afterAll(() => close())

  /** Runs everything that is queued and everything that it starts. @returns what each job returned */
  const runAll = async (): Promise<readonly unknown[]> => {
    const results: unknown[] = []
    for (;;) {
      const [job] = await queue.claim(1)
      if (job === undefined) return results
      const action = await runner.findAction(job)
      const { signal } = new AbortController()
      const outcome = await runner.run({ job, action, onLog: () => undefined, signal })
      if (outcome.kind !== 'success') throw new Error(JSON.stringify(outcome))
      results.push(JSON.parse(outcome.resultJson))
      await completeJob(queue.deps, { job, outcome, retry: null, logs: [] })
    }
  }
  const traced = { env: TRACE, sent: TRACE, own: 'own' }

  it('reaches the job, its requests, and all that it starts', async () => {
    await queue.enqueue({ action: 'shows', input: { starts: true }, traceparent: TRACE })
    // the job, the job it starts, and one job each of the flow and its subflow
    expect(await runAll()).toEqual([traced, traced, traced, traced])
  })

  it('is that of its own caller alone', async () => {
    await queue.enqueue({ action: 'shows', input: {} })
    expect(await runAll()).toEqual([{ env: null, sent: null, own: 'own' }])
  })

  it('belongs to a flow run that was started with it', async () => {
    await startRun(queue.deps, {
      ws: WS,
      app: APP,
      flow: 'outer',
      input: {},
      triggerKind: 'api',
      createdBy: BY,
      permissionedAs: BY,
      traceparent: TRACE,
    })
    expect(await runAll()).toEqual([traced, traced])
    expect(await queue.db.one(sql`SELECT count(*) AS n FROM traces`)).toEqual({ n: 6 })
  })
})
