/**
 * Sections of the console that a workspace may hide. Its admins hide those that are not used; the pages stay open to people
 * who have the link. Pure.
 */
export const SECTIONS = [
  'webhooks',
  'git_sources',
  'drafts',
  'api_keys',
  'customers',
  'parser',
  'certificates',
  'billing',
] as const

export type Section = (typeof SECTIONS)[number]

/** Leaves out unknown names, such as a section of a newer version. */
export const knownSections = (names: readonly string[]): readonly Section[] =>
  SECTIONS.filter((section) => names.includes(section))
