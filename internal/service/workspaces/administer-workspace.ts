/** The operator's settings of a workspace: whether it may spend, which tags its jobs may have, how many may run. */
import type { Actor } from '#core/access/actor.ts'
import { updateSuspended } from '#store/billing/credit.ts'
import type { Statement } from '#store/database.ts'
import {
  updateAllowedTags,
  updateEgressAllow,
  updateMaxRunning,
  type Workspace,
} from '#store/workspaces/workspaces.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { requireWorkspace } from './require-workspace.ts'

/** Fields that are absent do not change. */
export type WorkspaceRules = Readonly<{
  /** A suspended workspace is refused every paid call at once; its jobs and members are not affected. */
  isSuspended?: boolean
  /** Null for any tag. Workers do not claim queued jobs with other tags until those tags are allowed again. */
  allowedTags?: readonly string[] | null
  /** Jobs that may run at once; null for the instance's limit, 0 for none. Running jobs are not stopped. */
  maxRunning?: number | null
  /** Private destinations that its jobs may reach in addition to those of the instance; null for none. */
  egressAllow?: readonly string[] | null
}>

export type AdministerRequest = Readonly<{ ws: string; rules: WorkspaceRules; actor: Actor }>

/** Changes the settings in one write. @throws {AppError} not_found */
export const administerWorkspace = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, rules, actor }: AdministerRequest,
): Promise<Workspace> => {
  const by = { ws, actor }
  const { isSuspended, allowedTags, maxRunning, egressAllow } = rules
  const statements: Statement[] = []
  if (isSuspended !== undefined) {
    const action = isSuspended ? 'workspace.suspended' : 'workspace.resumed'
    statements.push(updateSuspended(ws, isSuspended), audited(deps, by, action, ws))
  }
  if (allowedTags !== undefined) {
    const listed = allowedTags === null ? 'any' : allowedTags.join(', ')
    const target = `${ws} ${listed}`.slice(0, 500)
    statements.push(
      updateAllowedTags(ws, allowedTags),
      audited(deps, by, 'workspace.allowed_tags_set', target),
    )
  }
  if (maxRunning !== undefined) {
    const target = `${ws} ${maxRunning ?? 'instance'}`
    statements.push(
      updateMaxRunning(ws, maxRunning),
      audited(deps, by, 'workspace.max_running_set', target),
    )
  }
  if (egressAllow !== undefined) {
    const target = `${ws} ${(egressAllow ?? []).join(', ') || 'none'}`.slice(0, 500)
    statements.push(
      updateEgressAllow(ws, egressAllow),
      audited(deps, by, 'workspace.egress_allow_set', target),
    )
  }
  if (statements.length > 0) await deps.db.write(statements, { retry: true })
  return requireWorkspace(deps, ws)
}
