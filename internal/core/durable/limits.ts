/** The bounds of durable steps [durable 4.1]. */
import { limit } from '../limit.ts'

export const MAX_STEPS = limit(
  'durable.steps',
  10_000,
  'items',
  'Durable steps of a job. More: `TooManySteps`.',
)
export const MAX_STEP_NAME = limit('durable.name', 200, 'characters', 'Name of a durable step.')
export const MAX_STEP_RESULT_BYTES = limit(
  'durable.result',
  4_194_304,
  'bytes',
  'Result of a durable step, as JSON. More: `StepResultTooLarge`.',
)
export const MAX_WAIT_MS = limit(
  'durable.wait',
  31_622_400_000,
  'ms',
  'Length of `ctx.sleep` and `ctx.waitForEvent`: 366 days.',
)
export const MAX_DRAWS = limit(
  'durable.draws',
  5_000,
  'times',
  'Calls of `ctx.now()`, `ctx.random()` and `ctx.uuid()` in a job. More: `TooManyDraws`.',
)
/** Bytes of recorded steps that are sent to the process with the run, and in each later page. */
export const JOURNAL_PAGE_BYTES = 1_048_576
/** The longest delay before a retry of a step for which its process waits. A longer one suspends the job. */
export const LONGEST_HELD_DELAY_MS = 5_000
/** The form of the name of an event. It is here because the guest, which checks waits, imports no other rules of events. */
export const EVENT_NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/
export const MAX_EVENT_KEY = limit('event.key', 500, 'characters', 'The key of an event.')
