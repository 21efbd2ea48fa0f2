/** Waits for a time. Its result is null, and the next step takes the result of the step before [flows 2.10]. */
import { text, wholeSeconds } from '../../manifest/fields.ts'
import { parseTime } from '../../rfc3339.ts'
import { resolveTemplate } from '../template.ts'
import { fail } from './opening.ts'
import { type Opening, type StepData, type StepOf, stepKind } from './step-kind.ts'
import { MAX_WAIT_S } from './wait-fields.ts'

const fields = {
  forS: wholeSeconds(1, MAX_WAIT_S).optional(),
  until: text(2_048).optional(),
}

type SleepStep = StepOf<typeof fields>

const TIME = 'a time such as 2026-01-31T09:00:00Z'

const open = ({ key, forS, until }: SleepStep, data: StepData): Opening => {
  if (until === undefined) {
    return { kind: 'wait', status: 'running', until: { afterMs: (forS ?? 0) * 1_000 } }
  }
  const { value, error } = resolveTemplate(until, data)
  if (error !== null) return { kind: 'fail', error }
  const at = typeof value === 'string' ? parseTime(value) : null
  if (at === null) return fail('BadTime', `The \`until\` of step "${key}" is not ${TIME}.`)
  return { kind: 'wait', status: 'running', until: { at } }
}

export const sleep = stepKind({
  name: 'sleep',
  fields,
  descriptions: {
    forS: 'Of kind sleep: seconds for which it waits; either this or until.',
    until: `Of kind sleep: ${TIME}, or a reference to one; either this or forS.`,
  },
  check: ({ forS, until }) => {
    if ((forS === undefined) === (until === undefined)) {
      return [{ path: [], message: 'a step of kind sleep needs either `forS` or `until`' }]
    }
    const isBad = until !== undefined && !until.includes('${') && parseTime(until) === null
    return isBad ? [{ path: ['until'], message: `must be ${TIME}, or a reference to one` }] : []
  },
  targets: () => [],
  open,
  resume: (_step, event) =>
    event.kind === 'wait_timed_out' ? { status: 'success', result: null } : null,
  references: ({ until }) => ({ templates: [until] }),
  passesOver: true,
  retries: false,
  shape: ['((', '))'],
})
