/** Parses who started something: a person, or `<kind>:<id>` with the name that the server gives for the id. Pure. */

const CREATOR_KINDS = [
  'customer',
  'api_key',
  'schedule',
  'webhook',
  'function',
  'event',
  'public',
  'job',
  'error_handler',
  'git_source',
] as const

export type CreatorKind = (typeof CREATOR_KINDS)[number]

export type Created = Readonly<{ created_by: string; created_by_name?: string | undefined }>

export type Creator = Readonly<{
  /** Null for a person. */
  kind: CreatorKind | null
  id: string
  /** Null if it was deleted or has no name. */
  name: string | null
}>

/** Kinds whose ids are names. */
const NAMED_BY_ID: readonly CreatorKind[] = ['webhook', 'function', 'api_key']

export const readCreator = ({ created_by: identity, created_by_name: name }: Created): Creator => {
  const at = identity.indexOf(':')
  const kind = CREATOR_KINDS.find((known) => known === identity.slice(0, at))
  if (kind === undefined) return { kind: null, id: identity, name: identity }
  const id = identity.slice(at + 1)
  return { kind, id, name: name ?? (NAMED_BY_ID.includes(kind) ? id : null) }
}
