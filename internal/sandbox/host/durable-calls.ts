/**
 * Parses a guest's calls for its durable steps, and formats the responses.
 * Everything in a call is checked, because it may be forged.
 */
import { z } from 'zod'
import {
  EVENT_NAME,
  MAX_DRAWS,
  MAX_EVENT_KEY,
  MAX_STEP_NAME,
  MAX_STEP_RESULT_BYTES,
  MAX_STEPS,
  MAX_WAIT_MS,
} from '#core/durable/limits.ts'
import { CALLED_KINDS, type HistoryEntry } from '#core/durable/step.ts'
import { AppError, invalid } from '#core/error.ts'
import { MAX_JSON_DEPTH } from '#core/json/depth.ts'
import { scanJson } from '#core/json/scan.ts'
import { NO_NUL } from '#core/nul.ts'
import type {
  BegunStep,
  DurableAccess,
  Journal,
  JournalPage,
  JournalStep,
  StepBegin,
  StepEnd,
  Suspension,
} from '../durable-access.ts'

const name = z
  .string()
  .min(1)
  .max(MAX_STEP_NAME)
  .refine(...NO_NUL)
const position = z.int().min(1).max(MAX_STEPS)
const ms = z.number().min(0).max(MAX_WAIT_MS)
const drawn = z.union([z.number(), z.string().max(64)])
const count = z.int().min(0).max(MAX_STEPS)
const historyEntry = z.union([position, z.tuple([drawn]), z.tuple([count, count])])
const history = z.array(historyEntry).max(MAX_STEPS + MAX_DRAWS)
const error = z.object({
  name: z.string().max(200),
  message: z.string().max(100_000),
  code: z.string().max(200).optional(),
})
const historyHead = z.object({ id: z.int().nonnegative(), history })
const head = { id: z.int().nonnegative(), name, position, history }

const endHead = z
  .object({ ...head, tries: z.int().min(1).max(1_000_000), tookMs: z.number().min(0) })
  .and(
    z.discriminatedUnion('status', [
      z.object({ status: z.literal('success') }),
      z.object({ status: z.literal('failure'), error }),
      z.object({ status: z.literal('running'), error, delayMs: ms }),
    ]),
  )
const beginHead = z.discriminatedUnion('kind', [
  z.object({ ...head, kind: z.literal('sleep'), ms }),
  z.object({
    ...head,
    kind: z.literal('event'),
    event: z.string().regex(EVENT_NAME),
    key: z.string().min(1).max(MAX_EVENT_KEY).nullable(),
    timeoutMs: ms.nullable(),
  }),
  z.object({
    ...head,
    kind: z.literal('job'),
    calls: z.enum(CALLED_KINDS),
    target: z.string().min(1).max(200),
    options: z.unknown(),
  }),
])
const pageHead = z.object({
  id: z.int().nonnegative(),
  position: z.int().nonnegative(),
  name: z.string().max(MAX_STEP_NAME),
})
const suspension = z.object({ steps: z.array(name).min(1).max(MAX_STEPS), history })

type Parts = Readonly<{ head: unknown; valueJson: string }>
type Read<Value> = Readonly<{ id: number; value: Value }>

const tooLarge = (): AppError =>
  new AppError('too_large', 'The result of a step holds at most 4 MiB as JSON.', {
    code: 'step_result_too_large',
  })

/** The text is stored and later embedded in other JSON, so it must be valid. @throws {AppError} */
const checkValue = (json: string): string => {
  if (Buffer.byteLength(json) > MAX_STEP_RESULT_BYTES) throw tooLarge()
  const verdict = scanJson(json, { depth: MAX_JSON_DEPTH })
  if (verdict === 'valid') return json
  throw invalid(
    verdict === 'too_deep'
      ? `The result of a step nests at most ${MAX_JSON_DEPTH} levels.`
      : 'The result of a step must be JSON.',
    { code: 'invalid_step_result' },
  )
}

/** @throws {Error} the call is malformed; {AppError} its value is refused */
export const readStepEnd = (
  parts: Parts,
): Read<() => StepEnd> & Readonly<{ history: readonly HistoryEntry[] }> => {
  const { id, ...read } = endHead.parse(parts.head)
  const facts = {
    name: read.name,
    position: read.position,
    history: read.history,
    tries: read.tries,
    tookMs: read.tookMs,
  }
  const value = (): StepEnd => {
    if (read.status === 'success') {
      return { ...facts, end: { status: 'success', valueJson: checkValue(parts.valueJson) } }
    }
    const { error: thrown } = read
    return read.status === 'failure'
      ? { ...facts, end: { status: 'failure', error: thrown } }
      : { ...facts, end: { status: 'running', delayMs: read.delayMs, error: thrown } }
  }
  return { id, value, history: read.history }
}

/** @throws {Error} the call is malformed */
export const readAddedHistory = ({ head: given }: Parts): Read<readonly HistoryEntry[]> => {
  const { id, history: value } = historyHead.parse(given)
  return { id, value }
}

/** @throws {Error} the call is malformed */
export const readStepBegin = (parts: Parts): Read<StepBegin> => {
  const { id, ...step } = beginHead.parse(parts.head)
  return { id, value: step.kind === 'job' ? { ...step, inputJson: parts.valueJson } : step }
}

/** @throws {Error} the call is malformed */
export const readStepsAfter = (
  parts: Parts,
): Read<Readonly<{ position: number; name: string }>> => {
  const { id, ...value } = pageHead.parse(parts.head)
  return { id, value }
}

/** @throws {Error} the payload is malformed */
export const parseSuspension = (payload: string): Suspension =>
  suspension.parse(JSON.parse(payload))

/** A step in the format that the guest reads. */
const stepText = ({ valueJson, ...step }: JournalStep): string =>
  `{"value":${valueJson ?? 'null'},${JSON.stringify(step).slice(1)}`

const stepsText = (steps: readonly JournalStep[]): string => `[${steps.map(stepText).join(',')}]`

export const pageText = ({ steps, hasMore }: JournalPage): string =>
  `{"hasMore":${hasMore},"steps":${stepsText(steps)}}`

/** @param durable undefined if the run has no durable steps */
export const journalText = (durable: DurableAccess | undefined): string => {
  if (durable === undefined) return 'null'
  const { steps, hasMore, history: entries }: Journal = durable.journal
  return `{"hasMore":${hasMore},"history":${JSON.stringify(entries)},"steps":${stepsText(steps)}}`
}

export const begunText = ({ valueJson, ...begun }: BegunStep): string =>
  `{"value":${valueJson ?? 'null'},${JSON.stringify(begun).slice(1)}`
