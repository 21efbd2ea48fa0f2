/** Finds the private destinations that code of a workspace may reach [jobs 16]. */
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from './deps.ts'

/** Returns the grants of the instance and of the workspace. */
export const allGrantsOf = async (
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  ws: string,
): Promise<readonly string[]> => [
  ...limits.egressAllow,
  ...((await findWorkspace(db, ws))?.egressAllow ?? []),
]

/**
 * Returns the grants of the instance and of the workspace. They are read for each run, so that a
 * revocation takes effect at once.
 * @param network of the action or function; if it is empty, no private destination is open and nothing is read
 */
export const grantsOf = async (
  deps: Pick<Deps, 'db' | 'limits'>,
  ws: string,
  network: readonly string[] | null,
): Promise<readonly string[]> => {
  if (network === null || network.length === 0) return []
  return allGrantsOf(deps, ws)
}
