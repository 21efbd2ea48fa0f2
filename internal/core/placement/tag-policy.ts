/**
 * Which worker tags a caller may choose for a job [jobs 10.2, 10.3]. A tag decides which machines run the job, so
 * choosing it freely would let a caller reach workers that the operator keeps for other tenants.
 */

/** What a choice of a tag depends on. */
export type TagChoice = Readonly<{
  requested: string
  /** The manifest's tag of the action, its override and the workspace's default, which the caller may always name. */
  ownTags: readonly string[]
  /** What the own tags are, as a sentence names them. */
  owner: string
  /** Tags that the operator allows in this workspace; null for any. */
  allowedTags: readonly string[] | null
  /** Whether the caller holds `apps:write`. */
  holdsAppsWrite: boolean
}>

/** @param allowedTags null for any tag */
export const isTagAllowed = (tag: string, allowedTags: readonly string[] | null): boolean =>
  allowedTags === null || allowedTags.includes(tag)

/** @returns a sentence for the caller, or null when the caller may choose this tag */
export const findTagRefusal = (choice: TagChoice): string | null => {
  const { requested, ownTags, owner, allowedTags, holdsAppsWrite } = choice
  if (!isTagAllowed(requested, allowedTags)) return notAllowedHere(requested, allowedTags ?? [])
  if (holdsAppsWrite || ownTags.includes(requested)) return null
  return `The tag "${requested}" is not ${owner} (${listed(ownTags)}). Name one of those, or use a credential with the scope apps:write.`
}

/** The sentence for a tag that the operator has not allowed in the workspace. */
export const notAllowedHere = (tag: string, allowedTags: readonly string[]): string =>
  allowedTags.length === 0
    ? `The tag "${tag}" is not allowed in this workspace: no tag is. A super admin can change its allowed_tags.`
    : `The tag "${tag}" is not allowed in this workspace. Allowed: ${listed(allowedTags)}. A super admin can change its allowed_tags.`

const listed = (tags: readonly string[]): string => [...new Set(tags)].join(', ')
