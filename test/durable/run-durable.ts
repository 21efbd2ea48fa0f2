/** Runs durable jobs from queue to sandbox and back, step by step: claim, run, write the end. */
import type { WrittenEnd } from '#core/job/attempt.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { JobRunner } from '#service/queue/run-job.ts'
import { raw, sql } from '#store/sql.ts'
import { completeJob } from '../support/complete-job.ts'
import { deployTexts } from '../support/deploy-texts.ts'
import { APP, type Queue, WS } from '../support/open-queue.ts'

/** Deploys actions by their code. @param flows text of the manifest @returns the commit */
export const deployCode = async (
  queue: Queue,
  actions: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
  flows = '',
): Promise<string> => {
  const entries = Object.keys(actions).map(
    (name) => `  - { key: ${name}, entrypoint: ${name}.js${settings[name] ?? ''} }`,
  )
  const manifest = `key: ${APP}\nname: Durable\nactions:\n${entries.join('\n')}\n${flows}`
  const texts = Object.entries(actions).map(([name, code]) => [`${name}.js`, code])
  const { commit } = await deployTexts(queue.deps, {
    'app.yaml': manifest,
    ...Object.fromEntries(texts),
  })
  return commit
}

export type Stretch = Readonly<{
  id: string
  ended: WrittenEnd
  log: string
  dueInMs: number | null
}>

/** Claims one job and runs it to its end or suspension. */
export const runOne = async (queue: Queue, runner: JobRunner): Promise<Stretch> => {
  const [job] = await queue.claim(1)
  if (job === undefined) throw new Error('There was nothing to claim.')
  let log = ''
  let dueInMs: number | null = null
  const outcome = await runner.run({
    job,
    action: await runner.findAction(job),
    onLog: (text) => {
      log += text
    },
    signal: new AbortController().signal,
  })
  if (outcome.kind === 'aborted') throw new Error('It was aborted.')
  const action = await runner.findAction(job)
  const ended = await completeJob(queue.deps, {
    job,
    outcome,
    retry: action.definition.retry,
    logs: [],
    onSuspended: (ms) => {
      dueInMs = ms
    },
  })
  return { id: job.id, ended, log, dueInMs }
}

/** Ends the sleep or timeout of a suspended job. */
export const passTime = async (queue: Queue, id: string): Promise<void> => {
  await queue.db.write([
    sql`UPDATE job_steps SET due_at = 1 WHERE job_id = ${id} AND status = 'running'`,
    sql`UPDATE event_waits SET timeout_at = 1 WHERE owner_id = ${id} AND status = 'open'`,
    sql`UPDATE jobs SET run_at = 1 WHERE ws = ${WS} AND id = ${id} AND status = 'queued' AND ready = 0`,
  ])
}

/** The result of the job. */
export const resultOf = async (queue: Queue, id: string): Promise<JsonValue> => {
  const { result } = await queue.row(id)
  return JSON.parse(String(result))
}

/** Returns columns of the steps of a job, in order. */
export const stepsOf = (queue: Queue, id: string, columns: string) =>
  queue.db.all(
    sql`SELECT ${raw(columns)} FROM job_steps WHERE job_id = ${id} ORDER BY position, name`,
  )
