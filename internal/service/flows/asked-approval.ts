/** What an approval link requests, and from which approver. */
import { normalizeEmail } from '#core/access/email.ts'
import { AppError, forbidden } from '#core/error.ts'
import { sameIdentity } from '#core/flow/approval/decide.ts'
import type { Shown } from '#core/flow/approval/shown.ts'
import type { FlowStep } from '#core/flow/kinds.ts'
import { isRunOver } from '#core/flow/run.ts'
import { hasAuditEntry } from '#store/audit-log.ts'
import { listApprovals } from '#store/flows/approvals.ts'
import { type FlowRunHead, findRunHead } from '#store/flows/runs.ts'
import { findIdentityName } from '#store/people/identity-name.ts'
import { findMember } from '#store/people/members.ts'
import { findAccount } from '#store/people/users.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { notReached } from './answer-approval.ts'
import { openLink } from './approval-link.ts'
import type { FlowDeps } from './engine.ts'
import { readShown } from './read-shown.ts'

export type AskedApproval = Readonly<{
  token: string
  ws: string
  /** The name of the workspace. */
  workspace: string
  runId: string
  index: number
  approver: string
  app: string
  flow: string
  step: FlowStep
  requester: string
  shown: Shown
  startedAt: number
}>

const over = (): AppError =>
  new AppError('gone', 'This step has ended and no longer needs an answer.', {
    code: 'not_waiting',
  })

type LinkDeps = Pick<Deps, 'home'> & Pick<FlowDeps, 'db' | 'keyring' | 'flows'>

/**
 * Most approvers have no account. One whose account or membership is disabled, or was removed since the run started, answers
 * nothing.
 * @throws {AppError} forbidden
 */
const refuseFormer = async (
  { db, home }: LinkDeps,
  { ws, approver }: Readonly<{ ws: string; approver: string }>,
  { createdAt: since }: FlowRunHead,
): Promise<void> => {
  const target = normalizeEmail(approver)
  const account = await findAccount(home, target)
  const member = await findMember(db, ws, target)
  if ((account?.disabledAt ?? member?.disabledAt ?? null) !== null) {
    throw forbidden('This account is disabled. Ask an administrator.', { code: 'account_disabled' })
  }
  if (member !== null) return
  const isRemoved =
    (await hasAuditEntry(db, { ws, action: 'member.removed', target, since })) ||
    (await hasAuditEntry(home, { ws: null, action: 'user.removed', target, since }))
  if (!isRemoved) return
  throw forbidden('The approver of this link was removed. Ask a member to answer.', {
    code: 'approver_removed',
  })
}

/**
 * @param token the text in the address
 * @throws {AppError} forbidden: changed, or the approver is disabled or was removed; gone: used, expired, or the step is over;
 * conflict: the step has not begun
 */
export const openApprovalLink = async (deps: LinkDeps, token: string): Promise<AskedApproval> => {
  const { ws, runId, index, approver } = await openLink(deps, token, 'approval')
  const run = await findRunHead(deps.db, ws, runId)
  if (run === null) throw over()
  await refuseFormer(deps, { ws, approver }, run)
  const { flows } = await deps.flows.pinned.find(run.deploymentId)
  const step = flows.get(run.flow)?.steps[index]
  if (step === undefined) throw over()
  const answers = await listApprovals(deps.db, runId)
  const hasAnswered = answers.some(
    (answer) => answer.index === index && sameIdentity(answer.approver, approver),
  )
  if (hasAnswered) {
    throw new AppError('gone', 'You have already answered. Your answer is recorded.', {
      code: 'answered_before',
    })
  }
  if (isRunOver(run.status) || run.stepIndex > index) throw over()
  if (run.stepIndex < index) throw notReached()
  return {
    token,
    ws,
    workspace: (await findWorkspace(deps.db, ws))?.name ?? ws,
    runId,
    index,
    approver,
    app: run.app,
    flow: run.flow,
    step,
    requester: (await findIdentityName(deps.db, ws, run.createdBy)) ?? run.createdBy,
    shown: await readShown(deps, ws, { runId, index }),
    startedAt: run.createdAt,
  }
}
