/**
 * The flow that a call of an action with `approval: true` starts: people approve, then the action runs [agents 4.1]. Every
 * deployment with such an action contains it, so links, inbox, cancel and limits of approvals apply to it.
 */
import type { ActionDefinition } from '../action/definition.ts'
import type { FlowDefinition } from '../flow/definition.ts'

/** No flow of a manifest has `:` in its key. */
const PREFIX = 'approve:'

export const approvalFlowKey = (action: string): string => `${PREFIX}${action}`

/** Whether svc made the flow; lists of flows leave it out. */
export const isApprovalFlow = (key: string): boolean => key.startsWith(PREFIX)

/** The key by which people know what the flow runs: that of the action, or of the flow itself. */
export const shownFlowKey = (key: string): string =>
  isApprovalFlow(key) ? key.slice(PREFIX.length) : key

export const approvalFlow = (action: Pick<ActionDefinition, 'key'>): FlowDefinition => ({
  key: approvalFlowKey(action.key),
  steps: [
    {
      key: 'approval',
      kind: 'approval',
      // the agent acts for a person, who decides with their own credential
      approval: { requiredEvents: 1, allowSelfApproval: true, resumeForm: [] },
    },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of a flow
    { key: 'run', kind: 'action', action: action.key, input: '${input}' },
  ],
})
