/** Waits for people; its result is what they filled in. No job is made and nothing can be claimed meanwhile. */
import type { FlowStep, Opening } from './opening.ts'

export const openApproval = ({ approval }: FlowStep): Opening => ({
  kind: 'wait',
  timeoutMs: approval?.timeoutS === undefined ? null : approval.timeoutS * 1_000,
})
