/**
 * Answers an approval step [flows 9.3]. Each answer is a transition of the run, so two concurrent answers are counted one after
 * the other, and no answer counts for another step than the one it was given to.
 */
import { AppError, conflict, forbidden, invalid, notFound } from '#core/error.ts'
import { type Answer, type ApprovalDecision, decideApproval } from '#core/flow/approval/decide.ts'
import type { FlowEvent } from '#core/flow/run.ts'
import { isJsonObject, type JsonObject } from '#core/json/value.ts'
import {
  type ApprovalPath,
  insertApproval,
  isAnswered,
  listApprovals,
} from '#store/flows/approvals.ts'
import { findRunHead } from '#store/flows/runs.ts'
import { holds } from '#store/row.ts'
import { TRUE } from '#store/sql.ts'
import { approvalPlace } from './cipher.ts'
import type { FlowDeps } from './engine.ts'
import { loadRun } from './load-run.ts'
import type { PlannedRun } from './planned-run.ts'
import { tryTransition } from './try-transition.ts'
import { untilWritten } from './until-written.ts'

export type AnswerRequest = Readonly<{
  ws: string
  id: string
  approver: string
  via: ApprovalPath
  answer: Answer
  /** The step that a link was made for. */
  index?: number
  /** The step that the caller names; a run that waits at another step is left unchanged. */
  step?: string
}>

/**
 * @throws {AppError} not_found; conflict: the run does not wait for an answer, or this person already gave one; forbidden: the
 * requester may not answer; invalid: the form. Through a link, conflicts are `gone`.
 */
export const answerApproval = async (deps: FlowDeps, request: AnswerRequest): Promise<void> => {
  const { ws, id } = request
  let given = request
  await untilWritten(id, async () => {
    const run = await loadRun(deps, { ws, id })
    if (run === null) throw await whyOver(deps, request)
    checkStep(run, given)
    // after a lost race the run may wait at the next step, which the caller has not seen
    given = { ...request, index: run.state.index }
    const decision = await decide(deps, run, request)
    const { event, values, reason } = toTransition(request, decision)
    const { index } = run.state
    const { approver, via, answer } = request
    const place = approvalPlace(id, index, approver)
    // also sealed without values, because each sealed text is unique
    const form = run.cipher.seal(place, values)
    const entry = { runId: id, index, approver, decision: answer.kind, form, reason, via }
    const isWritten = await tryTransition(deps, run, {
      events: event === null ? [] : [event],
      condition: TRUE,
      alongside: (guard) => [insertApproval(entry, guard)],
    })
    // the run may have moved on before a write whose answer was lost was repeated
    return isWritten || (await holds(deps.db, isAnswered(entry)))
  })
}

/** Builds the error of a late answer. Through a link it is the error of a used link. */
const tooLate = ({ via }: AnswerRequest, message: string, code: string): AppError =>
  via === 'link' ? new AppError('gone', message, { code }) : conflict(message, { code })

/** Builds the error of an answer that comes before its step. */
export const notReached = (): AppError =>
  conflict('The run has not reached this step yet. Try again in a moment.', { code: 'not_waiting' })

const whyOver = async ({ db }: FlowDeps, request: AnswerRequest): Promise<AppError> => {
  const run = await findRunHead(db, request.ws, request.id)
  if (run === null) return notFound('Flow run')
  return tooLate(
    request,
    `The run is over (${run.status}); nothing waits for an answer.`,
    'not_waiting',
  )
}

/** @throws {AppError} */
const checkStep = (run: PlannedRun, request: AnswerRequest): void => {
  const { index, step } = request
  const isWaiting = run.state.status === 'waiting_approval'
  if (index !== undefined && run.state.index < index) throw notReached()
  if (index !== undefined && run.state.index > index) {
    throw tooLate(request, 'This step has ended and no longer needs an answer.', 'not_waiting')
  }
  if (!isWaiting) {
    throw tooLate(request, 'The run waits for no answer at the moment.', 'not_waiting')
  }
  const at = run.state.definition.steps[run.state.index]?.key
  if (step !== undefined && step !== at) {
    throw conflict(`The run waits at step "${at}", not at "${step}".`, { code: 'other_step' })
  }
}

const decide = async (
  { db }: FlowDeps,
  run: PlannedRun,
  { approver, answer }: AnswerRequest,
): Promise<ApprovalDecision> => {
  const step = run.state.definition.steps[run.state.index]
  if (step === undefined) throw new Error(`The run ${run.id} waits at no step.`)
  const rows = (await listApprovals(db, run.id)).filter(({ index }) => index === run.state.index)
  const given = rows.map((row) => ({ approver: row.approver, values: openForm(run, row) }))
  const requesters = [run.createdBy, run.permissionedAs]
  return decideApproval({ step, requesters, given }, approver, answer)
}

const openForm = (
  { id: runId, cipher }: PlannedRun,
  { index, approver, form }: Readonly<{ index: number; approver: string; form: string | null }>,
): JsonObject => {
  const value = form === null ? {} : cipher.open(approvalPlace(runId, index, approver), form)
  return isJsonObject(value) ? value : {}
}

type ApprovalTransition = Readonly<{
  event: FlowEvent | null
  values: JsonObject | null
  reason: string | null
}>

/** @throws {AppError} the answer is refused */
const toTransition = (request: AnswerRequest, decision: ApprovalDecision): ApprovalTransition => {
  switch (decision.kind) {
    case 'approved': {
      const event = { kind: 'approved', values: decision.all, by: decision.by } as const
      return { event, values: decision.values, reason: null }
    }
    case 'counted':
      return { event: null, values: decision.values, reason: null }
    case 'rejected': {
      const { reason } = decision
      return { event: { kind: 'rejected', by: request.approver, reason }, values: null, reason }
    }
    case 'self_approval':
      throw forbidden('The requester of the run may not approve it. Ask another approver.', {
        code: 'self_approval',
      })
    case 'answered_before':
      throw tooLate(request, 'You have answered this step already.', 'answered_before')
    case 'bad_form':
      throw invalid('Some fields of the form are missing or not valid.', {
        code: 'bad_form',
        details: decision.faults,
      })
  }
}
