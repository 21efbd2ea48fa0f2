/** What has a name in a deployment. */
export const NAME_KINDS = ['app', 'action', 'function'] as const
