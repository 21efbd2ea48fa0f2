import type { Actor } from '#core/actor.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { updateSuspended } from '#store/billing.ts'
import type { Workspace } from '#store/workspaces.ts'
import { requireWorkspace } from './change-workspace.ts'
import type { Deps } from './deps.ts'

export type SuspendRequest = Readonly<{ ws: string; isSuspended: boolean; actor: Actor }>

/** A suspended workspace is refused every paid call, at once; its jobs and its people go on. @throws {AppError} not_found */
export const suspendWorkspace = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, isSuspended, actor }: SuspendRequest,
): Promise<Workspace> => {
  const action = isSuspended ? 'workspace.suspended' : 'workspace.resumed'
  const entry = { id: deps.newId(), ws, actor, action, target: ws }
  await deps.db.write([updateSuspended(ws, isSuspended), insertAuditEntryIfChanged(entry)], {
    retry: true,
  })
  return requireWorkspace(deps, ws)
}
