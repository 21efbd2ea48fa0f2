/** Settings of a workspace (contract, Auth and people). */
import type { Actor } from '#core/actor.ts'
import { notFound } from '#core/error.ts'
import { findCurrentAction } from '#store/apps.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { findWorkspace, updateWorkspace, type Workspace } from '#store/workspaces.ts'
import { checkAllowedTag } from './check-tag.ts'
import type { Deps } from './deps.ts'

export type WorkspaceWish = Readonly<{
  name?: string | undefined
  defaultTag?: string | undefined
  /** `app/action`; null: none. */
  errorHandler?: string | null | undefined
}>

/** @throws {AppError} not_found: the workspace, or the action of the error handler; forbidden `tag_not_allowed` */
export const changeWorkspace = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  ws: string,
  { actor, wish }: Readonly<{ actor: Actor; wish: WorkspaceWish }>,
): Promise<Workspace> => {
  const known = await requireWorkspace(deps, ws)
  const { errorHandler } = wish
  if (errorHandler !== undefined && errorHandler !== null) await checkAction(deps, ws, errorHandler)
  if (wish.defaultTag !== undefined && wish.defaultTag !== known.defaultTag) {
    await checkAllowedTag(deps, ws, wish.defaultTag)
  }
  const changed = {
    id: ws,
    name: wish.name ?? known.name,
    defaultTag: wish.defaultTag ?? known.defaultTag,
    errorHandler: errorHandler === undefined ? known.errorHandler : errorHandler,
  }
  const entry = { id: deps.newId(), ws, actor, action: 'workspace.changed', target: ws }
  await deps.db.write([updateWorkspace(changed), insertAuditEntryIfChanged(entry)], { retry: true })
  return requireWorkspace(deps, ws)
}

/** @throws {AppError} not_found */
export const requireWorkspace = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
): Promise<Workspace> => {
  const workspace = await findWorkspace(db, ws)
  if (workspace === null) throw notFound(`Workspace "${ws}"`)
  return workspace
}

const checkAction = async ({ db }: Pick<Deps, 'db'>, ws: string, key: string): Promise<void> => {
  const [app = '', action = ''] = key.split('/')
  if ((await findCurrentAction(db, ws, app, action)) === null) {
    throw notFound(`Action "${key}"`, { code: 'action_not_found' })
  }
}
