/**
 * A model of the queue in a page of plain code: what every operation must do and return. The caller provides the time
 * (`runAt`). A claim is a token, where the database has an attempt number.
 */
import { type CancelAnswer, cancelAnswer } from '#core/job/cancel-answer.ts'
import { isTerminal, type JobStatus } from '#core/job/transitions.ts'

export type ModelJob = {
  readonly id: string
  readonly priority: number
  readonly key: string | null
  readonly retries: number
  readonly crashLimit: number
  status: JobStatus
  /** False while it waits for its time. */
  ready: boolean
  runAt: number
  attempt: number
  crashes: number
  failures: number
  isMarked: boolean
  /** The token of the worker that holds it. */
  token: ModelToken | null
}

export type ModelToken = Readonly<{ job: ModelJob; attempt: number; failures: number }>

/** How many jobs of one key may run at once, for every key. */
export const KEY_LIMIT = 2

const compare = (a: ModelJob, b: ModelJob): number =>
  b.priority - a.priority || a.runAt - b.runAt || (a.id < b.id ? -1 : 1)

/** Makes jobs ready whose time has come, then takes the first ones that may run. */
export const claim = (jobs: readonly ModelJob[], limit: number): readonly ModelToken[] => {
  const running = new Map<string, number>()
  const count = (key: string): number => running.get(key) ?? 0
  for (const { status, key } of jobs) {
    if (status === 'running' && key !== null) running.set(key, count(key) + 1)
  }
  const taken: ModelJob[] = []
  for (const job of jobs.filter(({ status }) => status === 'queued').toSorted(compare)) {
    if (job.runAt <= 1) job.ready = true
    if (!job.ready || taken.length === limit) continue
    if (job.key !== null && count(job.key) >= KEY_LIMIT) continue
    if (job.key !== null) running.set(job.key, count(job.key) + 1)
    taken.push(job)
  }
  return taken.map((job) => {
    job.status = 'running'
    job.attempt += 1
    job.token = { job, attempt: job.attempt, failures: job.failures }
    return job.token
  })
}

const isClaimed = (token: ModelToken): boolean =>
  token.job.status === 'running' && token.job.token === token

const leave = (job: ModelJob, status: JobStatus): JobStatus => {
  job.status = status
  job.token = null
  return status
}

export type EndKind = 'success' | 'failure' | 'canceled'

export const end = (token: ModelToken, kind: EndKind, retryIsReady: boolean): string => {
  const { job } = token
  if (!isClaimed(token)) {
    return isTerminal(job.status) && job.attempt === token.attempt ? job.status : 'fenced'
  }
  if (job.isMarked) return leave(job, 'canceled')
  if (kind !== 'failure' || token.failures >= job.retries) return leave(job, kind)
  job.failures += 1
  job.ready = retryIsReady
  leave(job, 'queued')
  return 'retrying'
}

export const cancel = (job: ModelJob): CancelAnswer => {
  const answer = cancelAnswer(job.status)
  if (job.status === 'queued') leave(job, 'canceled')
  if (job.status === 'running') job.isMarked = true
  return answer
}

export const handBack = (token: ModelToken, started: boolean): void => {
  if (!isClaimed(token)) return
  const { job } = token
  if (job.isMarked) {
    leave(job, 'canceled')
    return
  }
  job.attempt -= started ? 0 : 1
  leave(job, 'queued')
}

/** The lease ran out, and a rescue found it. */
export const lose = (job: ModelJob): void => {
  if (job.status !== 'running') return
  job.crashes += 1
  if (job.isMarked) leave(job, 'canceled')
  else leave(job, job.crashes >= job.crashLimit ? 'failure' : 'queued')
}

/** The tokens whose leases a renewal extends. */
export const renew = (tokens: readonly ModelToken[]): readonly ModelToken[] =>
  tokens.filter(isClaimed)
