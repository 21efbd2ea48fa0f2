/** Waits for an event; its result contains the event's data, or that the event did not come [flows 2.12]. */
import { MAX_EVENT_KEY } from '../../durable/limits.ts'
import { eventName } from '../../event/event.ts'
import { text } from '../../manifest/fields.ts'
import type { FlowEvent } from '../run.ts'
import { resolveTemplate } from '../template.ts'
import { fail, required } from './opening.ts'
import { type Opening, type StepData, type StepOf, stepKind, type WaitEnd } from './step-kind.ts'
import { failOrContinue, findEndlessWait, timeoutS } from './wait-fields.ts'

const fields = {
  name: eventName,
  match: text(2_048).optional(),
  timeoutS,
  onTimeout: failOrContinue,
}

type EventStep = StepOf<typeof fields>

const open = (step: EventStep, data: StepData): Opening => {
  const name = required(step.name, 'name')
  const until = step.timeoutS === undefined ? null : { afterMs: step.timeoutS * 1_000 }
  const wait = { kind: 'wait', status: 'running', until } as const
  if (step.match === undefined) return { ...wait, event: { name, key: null } }
  const { value, error } = resolveTemplate(step.match, data)
  if (error !== null) return { kind: 'fail', error }
  if (value === null || typeof value === 'object') {
    return fail('BadMatch', `The \`match\` of step "${step.key}" is not a single value.`)
  }
  const key = String(value)
  if (key === '' || key.length > MAX_EVENT_KEY) {
    const most = `1 to ${MAX_EVENT_KEY} characters`
    return fail('BadMatch', `The \`match\` of step "${step.key}" must have ${most}.`)
  }
  return { ...wait, event: { name, key } }
}

const resume = ({ name, onTimeout }: EventStep, event: FlowEvent): WaitEnd | null => {
  switch (event.kind) {
    case 'event_received':
      return { status: 'success', result: { received: true, data: event.data } }
    case 'wait_timed_out': {
      if (onTimeout === 'continue') return { status: 'success', result: { received: false } }
      const message = `The event ${name} did not come within the time that the step allows.`
      return { status: 'timed_out', error: { name: 'EventTimeout', message } }
    }
    default:
      return null
  }
}

export const event = stepKind({
  name: 'event',
  fields,
  descriptions: {
    name: 'Of kind event: name of the event that it waits for.',
    match: 'Of kind event: the key that the event must have; without it, the event has none.',
  },
  targets: () => [],
  open,
  resume,
  references: ({ match }) => ({ templates: [match] }),
  resultFields: () => ['received', 'data'],
  fieldValues: () => ({ received: [true, false] }),
  doubts: findEndlessWait,
  retries: false,
  shape: ['>', ']'],
})
