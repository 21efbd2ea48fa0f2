/** Returns what the apps of a workspace may request: caps of the instance, and tags of the workspace. */
import type { DeployPolicy } from '#core/deploy/policy.ts'
import { parseEgressGrants } from '#core/network/egress-grant.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'

/** Reads the policy of a workspace. */
export const deployPolicyOf = async (
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  ws: string,
): Promise<DeployPolicy> => {
  const workspace = await findWorkspace(db, ws)
  return {
    maxMemoryMb: limits.jobMaxMemoryMb,
    maxTimeoutS: limits.jobMaxTimeoutS,
    allowedTags: workspace?.allowedTags ?? null,
    granted: parseEgressGrants([...limits.egressAllow, ...(workspace?.egressAllow ?? [])]),
  }
}
