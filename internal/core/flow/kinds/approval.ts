/** Waits for people; its result is what they filled in [flows 9]. Meanwhile no job is queued except reminders. */
import { isJsonObject } from '../../json/value.ts'
import type { Fault } from '../../manifest/fault.ts'
import { key, list, mapping, wholeNumber, wholeSeconds, yesOrNo } from '../../manifest/fields.ts'
import { findFormFaults, formFieldSchema } from '../approval/form-field.ts'
import { resolveShown, shownFields, shownTemplates } from '../approval/shown.ts'
import type { FlowEvent } from '../run.ts'
import { oneSlot } from './opening.ts'
import {
  checkAction,
  type Opening,
  type StepCheck,
  type StepData,
  type StepOf,
  stepKind,
  targetIn,
  type WaitEnd,
} from './step-kind.ts'
import { failOrContinue, findEndlessWait, MAX_WAIT_S, timeoutS } from './wait-fields.ts'

/** Each is a field of the step or of `approval` [flows 9.12]. */
const policies = {
  timeoutS,
  onTimeout: failOrContinue,
  onReject: failOrContinue,
  remind: mapping(
    { everyS: wholeSeconds(1, MAX_WAIT_S), action: key },
    '{ everyS: 3600, action: remind }',
  ).optional(),
}

const settings = mapping(
  {
    requiredEvents: wholeNumber(1, 100).default(1),
    allowSelfApproval: yesOrNo.default(false),
    resumeForm: list(formFieldSchema, 100).default([]),
    ...shownFields,
    ...policies,
  },
  '{ requiredEvents: 1 }',
)

// without settings it waits for one approval
const fields = { approval: settings.optional(), ...policies }

type ApprovalStep = StepOf<typeof fields>

const POLICIES = ['timeoutS', 'onTimeout', 'onReject', 'remind'] as const

const checkPlaces = (step: ApprovalStep): readonly Fault[] =>
  POLICIES.filter((name) => step[name] !== undefined && step.approval?.[name] !== undefined).map(
    (name) => ({ path: [name], message: 'is under `approval` too: name it in one place' }),
  )

const checkForm = ({ approval }: ApprovalStep): readonly Fault[] =>
  findFormFaults(approval?.resumeForm ?? []).map(({ path, message }) => ({
    path: ['approval', 'resumeForm', ...path],
    message,
  }))

const checkReminder: StepCheck<typeof fields> = ({ remind, approval }, app) => [
  ...checkAction(remind?.action, ['remind', 'action'], app),
  ...checkAction(approval?.remind?.action, ['approval', 'remind', 'action'], app),
]

/** Returns the policies of a step from either place. */
export const policiesOf = ({ approval, timeoutS, onTimeout, onReject, remind }: ApprovalStep) => ({
  timeoutS: timeoutS ?? approval?.timeoutS,
  onTimeout: onTimeout ?? approval?.onTimeout,
  onReject: onReject ?? approval?.onReject,
  remind: remind ?? approval?.remind,
})

/** Whether its result contains the decision in addition to what people filled in. */
const returnsDecision = (step: ApprovalStep): boolean => {
  const { onTimeout, onReject } = policiesOf(step)
  return onTimeout === 'continue' || onReject === 'continue'
}

const findDoubts = (step: ApprovalStep): readonly Fault[] => {
  const policies = policiesOf(step)
  const { remind, timeoutS = Number.POSITIVE_INFINITY } = policies
  const isLate = remind !== undefined && remind.everyS >= timeoutS
  const message = 'the reminder never comes: `remind.everyS` is not less than `timeoutS`'
  return [...findEndlessWait(policies), ...(isLate ? [{ path: [], message }] : [])]
}

type Remind = NonNullable<ApprovalStep['remind']>

/** A reminder has the input of the step. */
const openReminder = (step: ApprovalStep, { everyS, action }: Remind, data: StepData) => {
  const target = { kind: 'action', key: action } as const
  const opening = oneSlot(step, { target, template: step.input }, data)
  if (opening.kind !== 'slots') return { opening, remind: null }
  const [what] = opening.slots
  return { opening, remind: what === undefined ? null : { everyMs: everyS * 1_000, what } }
}

const open = (step: ApprovalStep, data: StepData): Opening => {
  const { timeoutS: seconds, remind } = policiesOf(step)
  const until = seconds === undefined ? null : { afterMs: seconds * 1_000 }
  const { value: shown, error } = resolveShown(step.approval ?? {}, data)
  if (error !== null) return { kind: 'fail', error }
  const what = shown === null ? {} : { shown }
  const wait = { kind: 'wait', status: 'waiting_approval', until, ...what } as const
  if (remind === undefined) return wait
  const reminder = openReminder(step, remind, data)
  return reminder.remind === null ? reminder.opening : { ...wait, remind: reminder.remind }
}

const resume = (step: ApprovalStep, event: FlowEvent): WaitEnd | null => {
  const { onTimeout, onReject } = policiesOf(step)
  switch (event.kind) {
    case 'approved': {
      const { values, by } = event
      const decision = { decision: 'approved', values, by }
      return { status: 'success', result: returnsDecision(step) ? decision : values }
    }
    case 'rejected': {
      const { by, reason } = event
      if (onReject === 'continue') {
        return { status: 'success', result: { decision: 'rejected', values: {}, by: [by] } }
      }
      const because = reason === null ? '' : `: ${reason}`
      const message = `Rejected by ${by}${because}`
      return { status: 'rejected', error: { name: 'ApprovalRejected', message } }
    }
    case 'wait_timed_out': {
      if (onTimeout === 'continue') {
        return { status: 'success', result: { decision: 'timed_out', values: {}, by: [] } }
      }
      const message = 'No approver answered within the time that the step allows.'
      return { status: 'timed_out', error: { name: 'ApprovalTimeout', message } }
    }
    default:
      return null
  }
}

const POLICY_DESCRIPTIONS = {
  timeoutS: 'Seconds until the wait of an approval or event is given up; without it, it waits.',
  onTimeout:
    '`continue`: the run goes on after the time, and its result shows that; else it fails.',
  onReject: 'Of an approval. `continue`: the run goes on after a rejection; else it fails.',
  remind: 'Of an approval: what reminds people until they decide.',
  'remind.everyS': 'Seconds between two reminders.',
  'remind.action': 'Key of the action that each reminder runs, with the input of the step.',
}

export const approval = stepKind({
  name: 'approval',
  fields,
  descriptions: {
    approval: 'Of kind approval: who decides, and for how long.',
    'approval.requiredEvents': 'How many people must approve.',
    'approval.allowSelfApproval': 'Whether the person who started the run may approve.',
    'approval.title': 'What people read first; it may hold references.',
    'approval.description': 'What people read below the title; it may hold references.',
    'approval.show':
      'Values that people see before they decide: references, or `{label, value}` with a reference as value.',
    'approval.resumeForm': 'Fields that people fill in as they approve.',
    'approval.resumeForm[].key': 'Name of the value.',
    'approval.resumeForm[].label': 'What people read.',
    'approval.resumeForm[].type': 'Type of the value.',
    'approval.resumeForm[].required': 'Whether it must be filled in.',
    'approval.resumeForm[].options': 'Choices of a select.',
    ...POLICY_DESCRIPTIONS,
    ...Object.fromEntries(
      Object.entries(POLICY_DESCRIPTIONS).map(([name, words]) => [`approval.${name}`, words]),
    ),
  },
  checks: { remind: checkReminder },
  check: (step) => [...checkPlaces(step), ...checkForm(step)],
  targets: (step) => targetIn('action', policiesOf(step).remind?.action),
  open,
  resume,
  asksPeople: true,
  resultFields: (step) =>
    returnsDecision(step)
      ? ['decision', 'values', 'by']
      : (step.approval?.resumeForm ?? []).map(({ key }) => key),
  // the page of a form sends false for a box that is not ticked
  optionalFields: (step) =>
    returnsDecision(step)
      ? []
      : (step.approval?.resumeForm ?? [])
          .filter(({ required, type }) => !required && type !== 'boolean')
          .map(({ key }) => key),
  fieldValues: (step): Readonly<Record<string, readonly string[]>> =>
    returnsDecision(step) ? { decision: ['approved', 'rejected', 'timed_out'] } : {},
  doubts: findDoubts,
  formValues: (step, result) => {
    const decided = returnsDecision(step) && isJsonObject(result) ? result.values : result
    return decided ?? null
  },
  references: ({ approval }) => ({ templates: shownTemplates(approval ?? {}) }),
  remindMs: (step) => {
    const { remind } = policiesOf(step)
    return remind === undefined ? null : remind.everyS * 1_000
  },
  retries: false,
  shape: ['{{', '}}'],
})
