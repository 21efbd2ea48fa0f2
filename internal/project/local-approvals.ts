/** Answers to the approval steps of a local run, given beforehand on the command line. */
import { conflict, invalid } from '#core/error.ts'
import { decideApproval } from '#core/flow/approval/decide.ts'
import type { FormField } from '#core/flow/approval/form-field.ts'
import { policiesOf } from '#core/flow/kinds/approval.ts'
import type { FlowStep } from '#core/flow/kinds.ts'
import type { FlowEvent } from '#core/flow/run.ts'
import type { JsonObject, JsonValue } from '#core/json/value.ts'
import { showFaults } from './function-folder.ts'

export type LocalApprovals = Readonly<{
  /** @throws {AppError} conflict: no answer is left; invalid: the form refuses the answer */
  answer: (step: FlowStep) => FlowEvent
}>

const sampleOf = ({ type, options = [] }: FormField): JsonValue => {
  switch (type) {
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'email':
      return 'ada@example.com'
    case 'date':
      return '2026-01-31'
    case 'select':
      return options[0] ?? ''
    case 'text':
    case 'textarea':
      return 'text'
  }
}

const unanswered = ({ key, approval }: FlowStep): string => {
  const form = approval?.resumeForm ?? []
  const sample = Object.fromEntries(form.map((field) => [field.key, sampleOf(field)]))
  const count = approval?.requiredEvents ?? 1
  const who = count === 1 ? '' : ` ${count} people must answer it: give --approve once for each.`
  return `The step "${key}" waits for an approval. Answer it by --approve '${JSON.stringify(sample)}' or --reject of svc dev flow, run, fire or send.${who}`
}

type Silence = Readonly<{ rejection: string | null; isTimeOver: boolean }>

const withoutAnswer = (step: FlowStep, { rejection, isTimeOver }: Silence): FlowEvent => {
  if (rejection !== null) {
    return { kind: 'rejected', by: 'you', reason: rejection === '' ? null : rejection }
  }
  if (isTimeOver && policiesOf(step).timeoutS !== undefined) return { kind: 'wait_timed_out' }
  throw conflict(unanswered(step))
}

/**
 * @param answers in the order in which the steps need them; each counts as the answer of another person
 * @param rejection why the first step without an answer is rejected; null throws an error instead
 * @param skipsTime whether the time limit of a step without any answer is over at once
 */
export const createLocalApprovals = (
  answers: readonly JsonObject[],
  rejection: string | null,
  skipsTime = false,
): LocalApprovals => {
  const left = [...answers]

  const answer = (step: FlowStep): FlowEvent => {
    const given: { approver: string; values: JsonObject }[] = []
    for (;;) {
      const values = left.shift()
      if (values === undefined) {
        return withoutAnswer(step, { rejection, isTimeOver: skipsTime && given.length === 0 })
      }
      const approver = `person ${given.length + 1}`
      const decided = decideApproval({ step, requesters: [], given }, approver, {
        kind: 'approve',
        values,
      })
      if (decided.kind === 'approved')
        return { kind: 'approved', values: decided.all, by: decided.by }
      if (decided.kind === 'bad_form') {
        throw invalid(`The step "${step.key}" takes no such answer.\n${showFaults(decided.faults)}`)
      }
      given.push({ approver, values })
    }
  }
  return { answer }
}
