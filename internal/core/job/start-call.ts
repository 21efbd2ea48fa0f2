/** The rules of `ctx.run`, `ctx.startFlow` and `ctx.sendEvent`: what a job or a function starts and sends [jobs 15]. */
import * as z from 'zod'
import { AppError, conflict, forbidden, invalid } from '../error.ts'
import { eventFields } from '../event/event.ts'
import { explainIssue } from '../explain-issue.ts'
import type { JsonValue } from '../json/value.ts'
import { limit } from '../limit.ts'
import { tagName } from '../placement/tag-name.ts'
import { timeText } from '../rfc3339.ts'
import type { StartKind } from './start-target.ts'

export const MAX_START_CALLS = limit(
  'job.starts',
  10_000,
  'times',
  'Calls of `ctx.run`, `ctx.startFlow` and `ctx.sendEvent` in one attempt of a job. More: `TooManyStarts`.',
)
/** The first job of a chain has depth 0. */
const MAX_CHAIN_DEPTH = limit(
  'job.chain',
  20,
  'levels',
  'Jobs and flow runs that start one another. More: `ChainTooDeep`.',
)
const MAX_IDEMPOTENCY_KEY = 255
const MAX_DELAY_S = 31_622_400

/** One call, as it leaves the job. */
export type StartCall = Readonly<{
  kind: StartKind | 'event'
  /** `key` of the caller's own app, or `app/key`; the name of an event. */
  target: string
  /** The number of the call within the attempt, or within the step, counted from 1. */
  number: number
  /** The durable step that makes the call; absent if none does. */
  step?: string
  /** Not checked yet. */
  options: unknown
  /** The input, or the data of an event, as JSON text that is not parsed. */
  inputJson: string
}>

/** A call that starts a job or a flow run. */
export type WorkCall = StartCall & Readonly<{ kind: StartKind }>

const isText = (max: number) => z.string().min(1).max(max)

const startOptions = z.strictObject({
  idempotencyKey: isText(MAX_IDEMPOTENCY_KEY).optional(),
  delayS: z.number().min(0).max(MAX_DELAY_S).optional(),
  scheduledFor: timeText.optional(),
  priority: z.int().min(-100).max(100).optional(),
  tag: tagName.optional(),
})
const flowOptions = startOptions.extend({ cancelWithJob: z.boolean().optional() })

export type StartOptions = z.infer<typeof startOptions> &
  /** Whether a flow run is canceled when the job that starts it is. */
  Readonly<{ cancelWithJob?: boolean | undefined }>

const CALLS = {
  action: {
    name: 'ctx.run',
    options: startOptions,
    names: 'idempotencyKey, delayS or scheduledFor, priority and tag',
  },
  flow: {
    name: 'ctx.startFlow',
    options: flowOptions,
    names: 'idempotencyKey, delayS or scheduledFor, priority, tag and cancelWithJob',
  },
} as const

/** Reads the options of a call. @throws {AppError} invalid */
export const readStartOptions = (kind: StartKind, options: unknown): StartOptions => {
  const call = CALLS[kind]
  const { success, data, error } = call.options.safeParse(options, { error: explainIssue })
  if (!success) {
    const details = error.issues.map(({ path, message }) => ({
      path: ['options', ...path].join('.'),
      message,
    }))
    const where = details.map(({ path, message }) => `${path}: ${message}`).join(' ')
    throw invalid(`${call.name} takes the options ${call.names}. ${where}`, { details })
  }
  if (data.delayS !== undefined && data.scheduledFor !== undefined) {
    throw invalid(`${call.name} takes delayS or scheduledFor, not both.`)
  }
  return data
}

/** Refuses options of `ctx.run` and `ctx.startFlow` that a durable call decides itself. @throws {AppError} invalid */
export const refuseCallOptions = (calls: StartKind, options: unknown): void => {
  if (typeof options !== 'object' || options === null) return
  if ('idempotencyKey' in options) {
    throw invalid(
      calls === 'flow'
        ? 'ctx.callFlow takes no idempotencyKey: its step is called once by its name.'
        : 'ctx.call takes no idempotencyKey: its step is called once by its name.',
    )
  }
  if (calls === 'action' || !('cancelWithJob' in options)) return
  throw invalid('ctx.callFlow takes no cancelWithJob: canceling the job always cancels the run.')
}

const eventCall = eventFields.pick({ name: true, key: true, id: true }).strict()

export type SentEvent = z.infer<typeof eventCall> & Readonly<{ data: JsonValue }>

/** Reads what a call of `ctx.sendEvent` sends, except its data. @throws {AppError} invalid */
export const readEventCall = ({
  target,
  options,
}: Pick<StartCall, 'target' | 'options'>): Omit<SentEvent, 'data'> => {
  const given = typeof options === 'object' ? options : { options }
  const { success, data, error } = eventCall.safeParse(
    { ...given, name: target },
    { error: explainIssue },
  )
  if (success) return data
  const where = error.issues
    .map(({ path, message }) => `${path.join('.') || 'options'}: ${message}`)
    .join(' ')
  throw invalid(`ctx.sendEvent takes a name, and key, data and id of the event. ${where}`)
}

/** @param depth of the caller. @returns the depth of what it starts. @throws {AppError} conflict `chain_too_deep` */
export const nextChainDepth = (depth: number): number => {
  if (depth < MAX_CHAIN_DEPTH) return depth + 1
  throw conflict(
    `Jobs have started one another ${MAX_CHAIN_DEPTH} times. End the chain, or start the next job from outside.`,
    { code: 'chain_too_deep' },
  )
}

export const tooManyStarts = (): AppError =>
  new AppError(
    'rate_limited',
    `A job makes at most ${MAX_START_CALLS.toLocaleString('en')} calls of ctx.run, ctx.startFlow and ctx.sendEvent. Split the work over several jobs.`,
    { code: 'too_many_starts' },
  )

export const keyMismatch = (): AppError =>
  conflict('This key has started another target. Use a key of its own for each target.', {
    code: 'idempotency_mismatch',
  })

/** A function has no job whose cancel could end the run. @throws {AppError} invalid */
export const refuseCancelWithJob = ({ cancelWithJob = false }: StartOptions): void => {
  if (!cancelWithJob) return
  throw invalid('cancelWithJob is for jobs: a function has none. Cancel the run by ctx.cancel.')
}

export const lostStarter = (): AppError =>
  conflict('This run no longer holds its job: it can start nothing.')

/** What durable calls throw while a canceled script cleans up. */
export const canceledRun = (): AppError =>
  conflict('The job was canceled: it records no further step.', { code: 'canceled' })

/** A customer may only start actions, and may not choose where and when they run. @throws {AppError} forbidden */
export const requireCustomerMayStart = (
  kind: StartCall['kind'],
  { tag, priority }: Pick<StartOptions, 'tag' | 'priority'>,
): void => {
  if (kind !== 'action') {
    throw forbidden('A job of a customer can start actions only.', { code: 'customer_key' })
  }
  if (tag === undefined && priority === undefined) return
  throw forbidden('In a job of a customer ctx.run takes neither `tag` nor `priority`.', {
    code: 'customer_key',
  })
}
