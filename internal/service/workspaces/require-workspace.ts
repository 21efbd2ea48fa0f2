/** Reads the workspace that a use case needs. */
import { notFound } from '#core/error.ts'
import { findWorkspace, type Workspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'

/** Reads a workspace. @throws {AppError} not_found */
export const requireWorkspace = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
): Promise<Workspace> => {
  const workspace = await findWorkspace(db, ws)
  if (workspace === null) throw notFound(`Workspace "${ws}"`)
  return workspace
}
