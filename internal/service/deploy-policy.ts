/** What the operator lets the apps of a workspace ask for: caps of the instance, tags of the workspace. */
import type { DeployPolicy } from '#core/deploy-policy.ts'
import { findWorkspace } from '#store/workspaces.ts'
import type { Deps } from './deps.ts'

export const deployPolicyOf = async (
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  ws: string,
): Promise<DeployPolicy> => ({
  maxMemoryMb: limits.jobMaxMemoryMb,
  maxTimeoutS: limits.jobMaxTimeoutS,
  allowedTags: (await findWorkspace(db, ws))?.allowedTags ?? null,
})
