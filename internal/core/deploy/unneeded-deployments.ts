/** Which former deployments of an app may be deleted. Jobs and flow runs may still refer to them. */

export type FormerDeployment = Readonly<{
  id: string
  /** Milliseconds since 1970, as are the other times. */
  createdAt: number
  gitSourceId: string | null
}>

export type DeploymentHistory = Readonly<{
  /** All deployments of one app, newest first. */
  deployments: readonly FormerDeployment[]
  /** The current deployment; null if the app was deleted, or was never deployed. */
  currentId: string | null
  /** When the app was found to be deleted; null if it exists. */
  deletedAt: number | null
}>

export type DeploymentRetention = Readonly<{
  /** How many of the newest deployments of an app stay. */
  keep: number
  /** What was replaced before this time may be deleted. */
  replacedBefore: number
  /** What belongs to an app that was deleted before this time may be deleted. */
  deletedBefore: number
}>

/**
 * Finds the deployments to delete. The newest deployment of each git source stays: after a rollback it shows an automatic sync that
 * the branch has no newer commit.
 * @returns ids
 */
export const findUnneededDeployments = (
  { deployments, currentId, deletedAt }: DeploymentHistory,
  { keep, replacedBefore, deletedBefore }: DeploymentRetention,
): readonly string[] => {
  if (deletedAt !== null) {
    return deployments
      .filter(({ createdAt }) => Math.max(deletedAt, createdAt) < deletedBefore)
      .map(({ id }) => id)
  }
  const seenSources = new Set<string>()
  return deployments.flatMap(({ id, gitSourceId }, at) => {
    const isNewestOfSource = gitSourceId !== null && !seenSources.has(gitSourceId)
    if (gitSourceId !== null) seenSources.add(gitSourceId)
    const replacedAt = deployments[at - 1]?.createdAt ?? Number.POSITIVE_INFINITY
    const isNeeded =
      at < keep || id === currentId || isNewestOfSource || replacedAt >= replacedBefore
    return isNeeded ? [] : [id]
  })
}
