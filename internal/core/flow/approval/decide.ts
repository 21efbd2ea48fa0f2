/**
 * Decides who may answer an approval, and what follows from an answer [flows 9.3 to 9.6]. The API, the console and links share
 * this policy: what one of them refuses, all refuse.
 */
import { normalizeEmail } from '../../access/email.ts'
import type { ErrorDetail } from '../../error.ts'
import type { JsonObject } from '../../json/value.ts'
import type { FlowStep } from '../kinds.ts'
import { checkForm } from './form.ts'

export type Answer =
  | Readonly<{ kind: 'approve'; values: JsonObject }>
  | Readonly<{ kind: 'reject'; reason: string | null }>

export type ApprovalState = Readonly<{
  step: FlowStep
  /** The requester of the run, and the identity under which it runs. */
  requesters: readonly string[]
  /** Answers to this step so far, oldest first. */
  given: readonly Readonly<{ approver: string; values: JsonObject }>[]
}>

export type ApprovalDecision =
  /** `by`: all who approved. */
  | Readonly<{ kind: 'approved'; values: JsonObject; all: JsonObject; by: readonly string[] }>
  /** More approvals are needed. */
  | Readonly<{ kind: 'counted'; values: JsonObject }>
  | Readonly<{ kind: 'rejected'; reason: string | null }>
  | Readonly<{ kind: 'self_approval' }>
  | Readonly<{ kind: 'answered_before' }>
  | Readonly<{ kind: 'bad_form'; faults: readonly ErrorDetail[] }>

/** Whether two identities are one person. The spellings of one address are [access 6.3]. */
export const sameIdentity = (a: string, b: string): boolean =>
  normalizeEmail(a) === normalizeEmail(b)

const settingsOf = ({ approval }: FlowStep) => ({
  requiredEvents: approval?.requiredEvents ?? 1,
  allowSelfApproval: approval?.allowSelfApproval ?? false,
  resumeForm: approval?.resumeForm ?? [],
})

/** Returns why this person may not answer, or null. */
export const barOf = (
  { step, requesters, given }: ApprovalState,
  approver: string,
): 'self_approval' | 'answered_before' | null => {
  if (given.some((each) => sameIdentity(each.approver, approver))) return 'answered_before'
  const isOwn = requesters.some((requester) => sameIdentity(requester, approver))
  return isOwn && !settingsOf(step).allowSelfApproval ? 'self_approval' : null
}

export const decideApproval = (
  state: ApprovalState,
  approver: string,
  answer: Answer,
): ApprovalDecision => {
  const { step, given } = state
  const bar = barOf(state, approver)
  if (bar === 'answered_before') return { kind: 'answered_before' }
  // the requester may still reject it
  if (answer.kind === 'reject') return { kind: 'rejected', reason: answer.reason }
  if (bar === 'self_approval') return { kind: 'self_approval' }
  const { requiredEvents, resumeForm } = settingsOf(step)
  const { values, faults } = checkForm(resumeForm, answer.values)
  if (values === null) return { kind: 'bad_form', faults }
  if (given.length + 1 < requiredEvents) return { kind: 'counted', values }
  const all = Object.assign({}, ...given.map((each) => each.values), values)
  const by = [...given.map((each) => each.approver), approver]
  return { kind: 'approved', values, all, by }
}
