import type { Principal } from '#core/access/principal.ts'

/** Returns the workspace of a caller who is admitted by an API key, which always has one. */
export const workspaceOfKey = ({ ws }: Principal): string => {
  if (ws === null) throw new Error('An API key without a workspace.')
  return ws
}
