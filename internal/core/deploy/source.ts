/** Where the files of a deployment come from. */
export const DEPLOYMENT_SOURCES = ['git', 'upload', 'draft'] as const
export type DeploymentSource = (typeof DEPLOYMENT_SOURCES)[number]
