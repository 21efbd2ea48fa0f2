/** What the operator of an instance decides about a workspace: whether it may spend, and which tags its jobs may have. */
import type { Actor } from '#core/actor.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { updateSuspended } from '#store/billing.ts'
import type { Statement } from '#store/database.ts'
import { updateAllowedTags, updateMaxRunning, type Workspace } from '#store/workspaces.ts'
import { requireWorkspace } from './change-workspace.ts'
import type { Deps } from './deps.ts'

/** A field that is absent stays as it is. */
export type WorkspaceRules = Readonly<{
  /** A suspended workspace is refused every paid call at once; its jobs and its people go on. */
  isSuspended?: boolean
  /** Null: any tag. Jobs that are queued under another tag are claimed by no worker until it is allowed again. */
  allowedTags?: readonly string[] | null
  /** Jobs that may run at once: null is the instance's limit, 0 none. Running jobs are not stopped. */
  maxRunning?: number | null
}>

export type AdministerRequest = Readonly<{ ws: string; rules: WorkspaceRules; actor: Actor }>

/** @throws {AppError} not_found */
export const administerWorkspace = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, rules, actor }: AdministerRequest,
): Promise<Workspace> => {
  const audited = (statement: Statement, action: string, target: string): readonly Statement[] => [
    statement,
    insertAuditEntryIfChanged({ id: deps.newId(), ws, actor, action, target }),
  ]
  const { isSuspended, allowedTags, maxRunning } = rules
  const statements: Statement[] = []
  if (isSuspended !== undefined) {
    const action = isSuspended ? 'workspace.suspended' : 'workspace.resumed'
    statements.push(...audited(updateSuspended(ws, isSuspended), action, ws))
  }
  if (allowedTags !== undefined) {
    const listed = allowedTags === null ? 'any' : allowedTags.join(', ')
    const target = `${ws} ${listed}`.slice(0, 500)
    statements.push(
      ...audited(updateAllowedTags(ws, allowedTags), 'workspace.allowed_tags_set', target),
    )
  }
  if (maxRunning !== undefined) {
    const target = `${ws} ${maxRunning ?? 'instance'}`
    statements.push(
      ...audited(updateMaxRunning(ws, maxRunning), 'workspace.max_running_set', target),
    )
  }
  if (statements.length > 0) await deps.db.write(statements, { retry: true })
  return requireWorkspace(deps, ws)
}
