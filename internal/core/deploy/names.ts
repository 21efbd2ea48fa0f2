/** The kinds of names in a deployment. */
export const NAME_KINDS = ['app', 'action', 'function'] as const
