/** Runs one durable program on a node, in the runner of `svc dev`, and with `@svc/sdk/testing`. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonValue } from '#core/json/value.ts'
import { readLocalApp } from '#project/app-folder.ts'
import { createLocalWaits, type LocalWaits } from '#project/local-waits.ts'
import { openLocalWork } from '#project/with-local-actions.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { listJobSteps } from '#service/durable/list-steps.ts'
import { sendEvent } from '#service/events/send-event.ts'
import { enqueueDepsOf } from '#service/queue/enqueue-job.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import { SQL_NOW, sql } from '#store/sql.ts'
import type { Main } from '../../sdk/mod.ts'
import { type DurableTest, type TestAction, testDurable } from '../../sdk/testing.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { APP, BY, type Queue, WS } from '../support/open-queue.ts'
import { type Step, toStep } from './comparable-step.ts'
import { deployCode, runOne } from './run-durable.ts'

export type Sent = Readonly<{ name: string; key?: string; data: JsonValue }>

export type Program = Readonly<{
  /** The body of `main(ctx)`. */
  main: string
  /** Bodies of further actions, by key. Their durable steps run on the node and in `svc dev` only. */
  others?: Readonly<Record<string, string>>
  /** What the manifest adds to an action, by key, such as `, timeoutS: 5`. The test has no manifest. */
  settings?: Readonly<Record<string, string>>
  /** Flows of one step, by key: the keys of their actions. */
  flows?: Readonly<Record<string, string>>
  /** Events, each sent when nothing can go on without it. */
  events?: readonly Sent[]
  maxAttempts?: number
}>

/** How a program ended, and how many other jobs it started. */
export type Ran = Readonly<{ outcome: unknown; started: number }>

/** How it ended, and what its journal holds of its durable steps. */
export type RanWithSteps = Ran & Readonly<{ steps: readonly Step[] }>

const PRELUDE = `const kept = async (act) => {
  try { return { value: (await act()) ?? null } } catch (error) {
    return { name: error?.name ?? null, message: error?.message ?? String(error), code: error?.code ?? null }
  }
}`

const codeOf = (body: string): string =>
  `${PRELUDE}\nexport const main = async (ctx) => { ${body}\n}`

const codesOf = ({ main, others = {} }: Program): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries({ main, ...others }).map(([key, body]) => [key, codeOf(body)]))

const flowsText = ({ flows = {} }: Program): string => {
  const entries = Object.entries(flows).map(
    ([key, action]) => `  - { key: ${key}, steps: [{ key: one, action: ${action} }] }\n`,
  )
  return entries.length === 0 ? '' : `flows:\n${entries.join('')}`
}

const MAX_STRETCHES = 60

/** Lets time pass until the next job of the queue is due. @returns false if no job is queued */
const passToNext = async ({ db }: Queue): Promise<boolean> => {
  const dueAt = sql`(SELECT min(run_at) FROM jobs WHERE status = 'queued')`
  const [job] = await db.all(
    sql`SELECT id, run_at FROM jobs WHERE status = 'queued' AND run_at = ${dueAt} LIMIT 1`,
  )
  if (job === undefined) return false
  // the earliest time limit of the job's steps is over, and no other
  await db.write([
    sql`UPDATE event_waits SET timeout_at = 1 WHERE owner_id = ${String(job.id)} AND status = 'open'
      AND timeout_at <= ${Number(job.run_at)}`,
    sql`UPDATE job_steps SET due_at = 1 WHERE job_id = ${String(job.id)} AND status = 'running'
      AND due_at <= ${Number(job.run_at)}`,
    sql`UPDATE jobs SET run_at = 1, ready = 1 WHERE id = ${String(job.id)} AND status = 'queued'`,
  ])
  return true
}

const readSteps = async ({ deps }: Queue, id: string): Promise<readonly Step[]> => {
  const query = {
    ws: WS,
    id,
    after: { position: 0, name: '' },
    limit: 1_000,
    mayRead: true,
  } as const
  const { steps } = await listJobSteps(deps, query)
  return steps.map(({ result, error, ...step }) =>
    toStep({
      ...step,
      tries: step.attempts,
      value: result === undefined ? null : JSON.parse(String(result.text)),
      error: error === undefined ? null : JSON.parse(String(error.text)),
    }),
  )
}

const readEnd = async (queue: Queue, id: string): Promise<RanWithSteps | null> => {
  const { db } = queue
  const job = await db.one(sql`SELECT status, result FROM jobs WHERE id = ${id}`)
  if (job?.status === 'queued' || job?.status === 'running') return null
  const result: JsonValue = JSON.parse(String(job?.result))
  const by = `job:${id}`
  const started =
    await db.all(sql`SELECT id FROM jobs WHERE created_by = ${by} AND flow_run_id IS NULL
    UNION ALL SELECT id FROM flow_runs WHERE created_by = ${by}`)
  return {
    outcome: job?.status === 'success' ? { value: result } : { error: result },
    started: started.length,
    steps: await readSteps(queue, id),
  }
}

const isReady = async ({ db }: Queue): Promise<boolean> =>
  (await db.one(
    sql`SELECT 1 FROM jobs WHERE status = 'queued' AND ready = 1 AND run_at <= ${SQL_NOW}`,
  )) !== null

/** Sends the event, or lets time pass. */
const goOn = async (queue: Queue, event: Sent | undefined): Promise<void> => {
  if (event === undefined) {
    if (!(await passToNext(queue))) throw new Error('The program waits for nothing.')
    return
  }
  const { name, key = null, data } = event
  const deps = { ...queue.deps, ...enqueueDepsOf(queue.deps) }
  await sendEvent(deps, { ws: WS, name, key, data, id: null, sentBy: BY })
}

/** Runs the program with queue, database and sandbox, as a node does. */
export const onNode = async (
  queue: Queue,
  runner: JobRunner,
  program: Program,
): Promise<RanWithSteps> => {
  const retry = `, retry: { maxAttempts: ${program.maxAttempts ?? 1}, delayMs: 0 }`
  await deployCode(
    queue,
    codesOf(program),
    { ...program.settings, main: retry },
    flowsText(program),
  )
  const id = await queue.enqueue({ action: 'main', input: {} })
  const events = [...(program.events ?? [])]
  for (let stretch = 0; stretch < MAX_STRETCHES; stretch += 1) {
    const end = await readEnd(queue, id)
    if (end !== null) return end
    if (!(await isReady(queue))) await goOn(queue, events.shift())
    if (await isReady(queue)) await runOne(queue, runner)
  }
  throw new Error('The program does not end.')
}

const withFolder = async <T>(program: Program, act: (folder: string) => Promise<T>): Promise<T> => {
  const folder = makeMemoryFolder('svc-runners-')
  try {
    const codes = codesOf(program)
    for (const [key, code] of Object.entries(codes)) writeFileSync(join(folder, `${key}.js`), code)
    const actions = Object.keys(codes).map(
      (key) => `  - { key: ${key}, entrypoint: ${key}.js${program.settings?.[key] ?? ''} }`,
    )
    writeFileSync(
      join(folder, 'app.yaml'),
      `key: ${APP}\nname: Programs\nactions:\n${actions.join('\n')}\n${flowsText(program)}`,
    )
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const skippingWaits = (events: readonly Sent[] = []): LocalWaits =>
  createLocalWaits({
    skipsTime: true,
    events: events.map(({ name, key = null, data }) => ({ name, key, data })),
  })

/** Runs the program as `svc dev run --skip-time` does. */
export const inDev = (
  sandbox: Sandbox,
  program: Program,
  waits = skippingWaits(program.events),
): Promise<Ran> =>
  withFolder(program, async (folder) => {
    let ended = 0
    const stop = new AbortController()
    const { starts } = openLocalWork({
      app: readLocalApp(folder),
      sandbox,
      signal: stop.signal,
      waits,
      onStarted: () => {
        ended += 1
      },
    })
    const main = await starts.begin({ kind: 'action', key: 'main' }, {}, { kind: 'api' })
    const outcome = await main.ended
    await starts.settled()
    return {
      outcome: outcome.kind === 'success' ? { value: outcome.value } : { error: outcome.error },
      // without the main job
      started: ended - 1,
    }
  })

type Load = (key: string) => Promise<Main<never>>

const loaderOf =
  (folder: string): Load =>
  async (key) =>
    (await import(pathToFileURL(join(folder, `${key}.js`)).href)).main

/** Lets the time pass until the next time limit of the run. */
const advanceToNext = async (run: DurableTest): Promise<void> => {
  const due = run.waitingFor.flatMap(({ until }) => until?.getTime() ?? [])
  if (due.length === 0) throw new Error('The program waits for an event.')
  await run.advance({ seconds: Math.max(0, Math.min(...due) - run.now.getTime()) / 1_000 })
}

/** Runs the program with `@svc/sdk/testing`. */
export const inTest = (program: Program): Promise<RanWithSteps> =>
  withFolder(program, async (folder) => {
    const load = loaderOf(folder)
    let called = 0
    const actionOf = (key: string): TestAction => {
      const context = (input: unknown) => ({ input }) as Parameters<Main<never>>[0]
      return async (input) => {
        called += 1
        return (await load(key))(context(input))
      }
    }
    const run = await testDurable(await load('main'), {
      maxAttempts: program.maxAttempts ?? 1,
      actions: Object.fromEntries(
        Object.keys(program.others ?? {}).map((key) => [key, actionOf(key)]),
      ),
      flows: Object.fromEntries(
        Object.entries(program.flows ?? {}).map(([key, action]) => [key, actionOf(action)]),
      ),
    })
    const events = [...(program.events ?? [])]
    while (run.status === 'waiting') {
      const event = events.shift()
      if (event === undefined) await advanceToNext(run)
      else await run.sendEvent(event.name, event)
    }
    return {
      outcome: run.status === 'success' ? { value: run.result } : { error: run.error },
      started: called + run.started.filter(({ kind }) => kind === 'action').length,
      steps: run.steps.map(toStep),
    }
  })
