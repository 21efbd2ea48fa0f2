/** Sections of the console that a workspace may do without. Its admins hide those that go unused; the pages stay open to who has the link. Pure. */
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

/** Leaves out what this version does not know, such as a section of a newer one. */
export const knownSections = (names: readonly string[]): readonly Section[] =>
  SECTIONS.filter((section) => names.includes(section))
