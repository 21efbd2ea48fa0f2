/** Which private destinations code of a workspace may reach [jobs 16]. */
import { findWorkspace } from '#store/workspaces.ts'
import type { Deps } from './deps.ts'

/** The grants of the instance and of the workspace. */
export const allGrantsOf = async (
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  ws: string,
): Promise<readonly string[]> => [
  ...limits.egressAllow,
  ...((await findWorkspace(db, ws))?.egressAllow ?? []),
]

/**
 * The grants of the instance and of the workspace, read for each run so that a revocation counts at once.
 * @param network of the action or function; without one no private destination is open, and nothing is read
 */
export const grantsOf = async (
  deps: Pick<Deps, 'db' | 'limits'>,
  ws: string,
  network: readonly string[] | null,
): Promise<readonly string[]> => {
  if (network === null || network.length === 0) return []
  return allGrantsOf(deps, ws)
}
