/** Why a queued job does not run yet, in one word and one sentence [jobs 9.12]. */
import type { IsolationLevel } from '../placement/isolation-level.ts'
import { findUnserved, type UnservedCause, type WorkerReach } from '../placement/placement.ts'

export const WAIT_REASONS = [
  'worker',
  'tag',
  'level',
  'concurrency',
  'rate',
  'fairness',
  'quota',
  'time',
  'event',
  'job',
] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

export type WaitingFor = Readonly<{ reason: WaitReason; detail: string }>

/** What is known about a queued job and what it waits for. */
export type QueuedFacts = Readonly<{
  ws: string
  tag: string
  minLevel: IsolationLevel
  isReady: boolean
  /** Milliseconds since 1970. */
  runAt: number
  /** The last attempt; 0 if none has begun. */
  attempt: number
  suspended: Readonly<{ kind: string; name: string }> | null
  /** Whether its rate limit set its time. */
  isPaced: boolean
  rate: Readonly<{ limit: number; windowMs: number }> | null
  /** Whether another request with the same key would replace its input. */
  isDebounced: boolean
  concurrency: Readonly<{ limit: number; running: number }> | null
  /** Running jobs of the workspace, and how many may run; 0 for any number. */
  workspaceRunning: number
  workspaceLimit: number
  allowedTags: readonly string[] | null
  /** Whether jobs of other keys take their turns before it. */
  isBehindTurns: boolean
}>

const CAUSES: Readonly<Record<UnservedCause, WaitReason>> = {
  tag_not_allowed: 'tag',
  tag: 'tag',
  workspace: 'worker',
  level: 'level',
}

const at = (ms: number): string => new Date(ms).toISOString()

/** @param workers the live workers */
export const waitingFor = (facts: QueuedFacts, workers: readonly WorkerReach[]): WaitingFor =>
  ofSuspension(facts) ??
  ofTime(facts) ??
  ofPlace(facts, workers) ??
  ofLimits(facts) ??
  ofTurn(facts)

/** Null for a job that was woken, although `suspended` stays set until a worker claims it. */
const ofSuspension = ({ suspended, isReady, runAt }: QueuedFacts): WaitingFor | null => {
  if (suspended === null || isReady) return null
  const { kind, name } = suspended
  // a sleep, or the delay before the next try of a step
  if (kind === 'sleep')
    return { reason: 'time', detail: `It waits in the step "${name}" until ${at(runAt)}.` }
  return kind === 'event'
    ? { reason: 'event', detail: `It waits for the event of the step "${name}".` }
    : { reason: 'job', detail: `It waits for the job or flow run of the step "${name}".` }
}

const ofTime = (facts: QueuedFacts): WaitingFor | null => {
  const { isReady, isPaced, rate, isDebounced, runAt, attempt } = facts
  if (isReady) return null
  if (isPaced && rate !== null) {
    const limits = `At most ${rate.limit} of its key start in ${rate.windowMs / 1_000} s`
    return { reason: 'rate', detail: `${limits}; its turn is expected at ${at(runAt)}.` }
  }
  const next =
    attempt === 0 ? 'It is due at' : `Attempt ${attempt} has ended. The next one begins at`
  const why = isDebounced ? 'It waits for further requests of its key until' : next
  return { reason: 'time', detail: `${why} ${at(runAt)}.` }
}

const ofPlace = (facts: QueuedFacts, workers: readonly WorkerReach[]): WaitingFor | null => {
  if (workers.length === 0) return { reason: 'worker', detail: 'No worker is running.' }
  const unserved = findUnserved(facts, workers, facts.allowedTags)
  return unserved === null ? null : { reason: CAUSES[unserved.cause], detail: unserved.reason }
}

const ofLimits = ({
  concurrency,
  workspaceLimit,
  workspaceRunning,
}: QueuedFacts): WaitingFor | null => {
  if (concurrency !== null && concurrency.running >= concurrency.limit) {
    const detail = `${concurrency.running} of ${concurrency.limit} jobs of its concurrency key run.`
    return { reason: 'concurrency', detail }
  }
  if (workspaceLimit === 0 || workspaceRunning < workspaceLimit) return null
  const detail = `${workspaceRunning} of ${workspaceLimit} jobs of the workspace run.`
  return { reason: 'quota', detail }
}

const ofTurn = ({ isBehindTurns, tag }: QueuedFacts): WaitingFor =>
  isBehindTurns
    ? { reason: 'fairness', detail: 'Jobs of other keys of its fairKey have their turn first.' }
    : { reason: 'worker', detail: `It waits for a free slot of a worker with the tag "${tag}".` }
