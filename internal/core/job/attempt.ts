/** How an attempt of a job ended [jobs 5.6]: `worker_lost` counts as a crash, `handed_back` as nothing. */
export const ATTEMPT_OUTCOMES = [
  'running',
  'success',
  'failure',
  'canceled',
  'worker_lost',
  'handed_back',
] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]
