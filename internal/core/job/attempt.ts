import type { TerminalStatus } from './transitions.ts'

/** How an attempt of a job ended [jobs 5.6]: `worker_lost` counts as a crash, `handed_back` as nothing. */
export const ATTEMPT_OUTCOMES = [
  'running',
  'success',
  'failure',
  'canceled',
  'worker_lost',
  'handed_back',
] as const

/** What a worker's write of an end did. `fenced`: another attempt has the claim, or the job had ended; nothing was written. */
export type WrittenEnd = TerminalStatus | 'retrying' | 'suspended' | 'fenced'

/** How an attempt ended, for metrics and spans. `lost`: its lease has ended. */
export type AttemptEnd = WrittenEnd | 'handed_back' | 'lost'

/**
 * The column `jobs.attempt` is a fencing token, which grows with every claim whose script begins. A job that continues after a
 * suspension keeps its attempt, so the token counts attempts in its low bits and stretches between suspensions above them. An
 * attempt that is handed back before it begins is claimed again with the same token; claim ids distinguish the two.
 */
export const STRETCH = 1_048_576

/** The attempt that people see. @param token the column `jobs.attempt` */
export const attemptOf = (token: number): number => token % STRETCH
