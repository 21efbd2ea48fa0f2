/**
 * Links that work without an account, to answer an approval or to look at a run. They are signed with a key of the workspace.
 */
import { timingSafeEqual } from 'node:crypto'
import { AppError, conflict, forbidden } from '#core/error.ts'
import {
  joinLink,
  type LinkClaims,
  type LinkPurpose,
  parseLink,
  toLinkPayload,
} from '#core/flow/approval/link.ts'
import { policiesOf } from '#core/flow/kinds/approval.ts'
import { DAY_MS } from '#core/time-units.ts'
import { findRunHead } from '#store/flows/runs.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import type { WithFlows } from './engine.ts'
import type { OpenedJob } from './open-job.ts'

/** Lifetime of a link if the step has no timeout. */
const DEFAULT_LIFETIME_MS = 30 * DAY_MS
/** Added to the lifetime, because the action that makes the link may run on before the step's own time begins. */
const SLACK_MS = DAY_MS

type LinkDeps = Pick<Deps, 'keyring'>

/** Returns the signed text of a link, which opens without an account. */
export const signLink = (
  { keyring }: LinkDeps,
  { wrappedKey, claims }: Readonly<{ wrappedKey: string; claims: LinkClaims }>,
): string => {
  const payload = toLinkPayload(claims)
  return joinLink(payload, keyring.sign(wrappedKey, claims.ws, `link ${claims.purpose}`, payload))
}

const tampered = (): AppError =>
  forbidden('This link is not valid. Use the link exactly as it was sent to you.', {
    code: 'bad_link',
  })

/** @throws {AppError} forbidden: not signed by svc, changed, or for another purpose; gone: expired */
export const openLink = async (
  deps: Pick<Deps, 'db' | 'keyring'>,
  text: string,
  purpose: LinkPurpose,
): Promise<LinkClaims> => {
  const link = parseLink(text)
  if (link === null || link.claims.purpose !== purpose) throw tampered()
  const { claims, payload, signature } = link
  const workspace = await findWorkspace(deps.db, claims.ws)
  if (workspace === null) throw tampered()
  const { wrappedKey } = workspace
  const expected = deps.keyring.sign(wrappedKey, claims.ws, `link ${purpose}`, payload)
  const isOurs = signature.length === expected.length && timingSafeEqual(signature, expected)
  if (!isOurs) throw tampered()
  if (claims.expiresAt <= (await deps.db.now())) {
    throw new AppError('gone', 'This link has expired. Ask the sender for a new one.', {
      code: 'link_expired',
    })
  }
  return claims
}

/** Builds the error of a job that runs no such action. */
export const notBeforeApproval = (): AppError =>
  conflict(
    'ctx.approval.getResumeUrls() is for the action just before an approval step of a flow, and for its reminders.',
  )

/**
 * Creates links for the action just before an approval step, and for its reminders [flows 9.9].
 * @throws {AppError} conflict: the job does not run such an action
 */
export const createResumeUrls = async (
  deps: Pick<Deps, 'db' | 'keyring'> & WithFlows & Readonly<{ baseUrl: string }>,
  { ws, flow, approvalIndex, deploymentId, wrappedKey }: OpenedJob,
  approver: string,
): Promise<Readonly<{ approvalPage: string; approve: string; reject: string }>> => {
  if (flow === null || approvalIndex === null) throw notBeforeApproval()
  const run = await findRunHead(deps.db, ws, flow.runId)
  const { flows } = await deps.flows.pinned.find(deploymentId)
  const step = flows.get(run?.flow ?? '')?.steps[approvalIndex]
  const timeoutS = step === undefined ? undefined : policiesOf(step).timeoutS
  const lifetimeMs = timeoutS === undefined ? DEFAULT_LIFETIME_MS : timeoutS * 1_000 + SLACK_MS
  const expiresAt = (await deps.db.now()) + lifetimeMs
  const claims = {
    purpose: 'approval',
    ws,
    runId: flow.runId,
    index: approvalIndex,
    approver,
    expiresAt,
  } as const
  const token = encodeURIComponent(signLink(deps, { wrappedKey, claims }))
  const at = (page: string): string => `${deps.baseUrl}/api/flow/${page}?t=${token}`
  return { approvalPage: at('approval'), approve: at('approve'), reject: at('reject') }
}
