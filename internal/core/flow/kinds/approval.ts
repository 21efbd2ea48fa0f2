/** Waits for people; its result is what they filled in [flows 9]. No job is queued meanwhile. */
import { limit } from '../../limit.ts'
import { list, mapping, wholeNumber, yesOrNo } from '../../manifest-fields.ts'
import { formFieldSchema } from '../approval/form-field.ts'
import type { FlowEvent } from '../run.ts'
import { stepKind, type WaitEnd } from './step-kind.ts'

const MAX_TIMEOUT_S = limit('flow.approval_timeout', 31_536_000, 's', '`timeoutS` of an approval.')

const settings = mapping({
  requiredEvents: wholeNumber(1, 100).default(1),
  timeoutS: wholeNumber(1, MAX_TIMEOUT_S).optional(),
  allowSelfApproval: yesOrNo.default(false),
  resumeForm: list(formFieldSchema, 100).default([]),
})

const resume = (event: FlowEvent): WaitEnd | null => {
  switch (event.kind) {
    case 'approved':
      return { status: 'success', result: event.values }
    case 'rejected': {
      const because = event.reason === null ? '' : `: ${event.reason}`
      const message = `Rejected by ${event.by}${because}`
      return { status: 'rejected', error: { name: 'ApprovalRejected', message } }
    }
    case 'approval_timed_out': {
      const message = 'No approver answered within the time that the step allows.'
      return { status: 'timed_out', error: { name: 'ApprovalTimeout', message } }
    }
    default:
      return null
  }
}

export const approval = stepKind({
  name: 'approval',
  // without settings it waits for one approval
  fields: { approval: settings.optional() },
  descriptions: {
    approval: 'Of kind approval: who decides, and for how long.',
    'approval.requiredEvents': 'How many people must approve.',
    'approval.timeoutS':
      'Seconds until the run fails for lack of a decision; without it, it waits.',
    'approval.allowSelfApproval': 'Whether the person who started the run may approve.',
    'approval.resumeForm': 'Fields that people fill in as they approve.',
    'approval.resumeForm[].key': 'Name of the value.',
    'approval.resumeForm[].label': 'What people read.',
    'approval.resumeForm[].type': 'Type of the value.',
    'approval.resumeForm[].required': 'Whether it must be filled in.',
    'approval.resumeForm[].options': 'Choices of a select.',
  },
  targets: () => [],
  open: (step) => {
    const timeoutS = step.approval?.timeoutS
    const timeoutMs = timeoutS === undefined ? null : timeoutS * 1_000
    return { kind: 'wait', status: 'waiting_approval', timeoutMs }
  },
  resume: (_step, event) => resume(event),
  asksPeople: true,
  retries: false,
  shape: ['{{', '}}'],
})
