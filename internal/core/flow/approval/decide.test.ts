import { expect, test } from 'vitest'
import { decideApproval } from './decide.ts'

const approval = { requiredEvents: 2, allowSelfApproval: false, resumeForm: [] }
const step = { key: 'ok', kind: 'approval', approval } as const
const approve = { kind: 'approve', values: {} } as const
/** One address: with é as one character, in capitals, and with é as a letter and an accent. */
const SPELLINGS = ['jos\u00e9@example.com', ' JOS\u00c9@example.com', 'jose\u0301@example.com']

test.each(SPELLINGS)('the requester approves under no spelling of the address: %j', (approver) => {
  const state = { step, requesters: ['jos\u00e9@example.com'], given: [] }
  expect(decideApproval(state, approver, approve)).toEqual({ kind: 'self_approval' })
})

test.each(SPELLINGS)(
  'one person counts once, under each spelling of the address: %j',
  (approver) => {
    const given = [{ approver: 'jos\u00e9@example.com', values: {} }]
    const state = { step, requesters: ['ann@example.com'], given }
    expect(decideApproval(state, approver, approve)).toEqual({ kind: 'answered_before' })
  },
)
