/** Identifies what starts work from inside svc, and recognizes repeated calls [jobs 15.3]. */
import type { StartCall, StartOptions } from '#core/job/start-call.ts'
import type { Statement } from '#store/database.ts'
import type { Claim } from '#store/jobs/lease.ts'

export type Caller = Readonly<{
  ws: string
  app: string
  triggerKind: 'job' | 'function'
  createdBy: string
  permissionedAs: string
  customerId: string | null
  /** Null for a function, which begins a new chain. */
  chainDepth: number | null
  holdsAppsWrite: boolean
  /** The trace that the caller belongs to. */
  traceparent?: string
  /** Null for a function. */
  claim: Claim | null
  /** The job whose id numbers the calls: the first attempt of the same flow step, else the job itself. Null for a function. */
  callsOf: string | null
}>

/** The durable step that waits for the job or flow run, and the statements that are written with it. */
export type Waiter = Readonly<{
  step: string
  tries: number
  alongside: (childId: string) => readonly Statement[]
}>

/**
 * Whether the call may be a repetition: of an earlier attempt, or of an earlier try of its step. A repetition gets the first
 * result, whatever has changed since: a full queue, a grant, the depth.
 */
export const mayBeRepeated = (
  { claim, callsOf }: Pick<Caller, 'claim' | 'callsOf'>,
  { step }: StartCall,
  { idempotencyKey }: StartOptions = {},
): boolean =>
  idempotencyKey !== undefined ||
  (claim !== null && (claim.attempt > 1 || callsOf !== claim.id || step !== undefined))

/** Returns the text that numbers a call. Calls of a durable step are counted by the step [durable 3.7]. */
export const numberText = ({ number, step }: StartCall, waiter: Waiter | null): string => {
  if (waiter !== null) return `call/${waiter.step}/${waiter.tries}`
  return step === undefined ? String(number) : `step/${step}/${number}`
}
