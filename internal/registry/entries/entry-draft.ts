/** The intermediate form of an entry, between reading its row and linking it to other entries. */
import type { EntryContent, RegistryEntry } from '../schema/entry.ts'
import type { ClassifiedPurpose } from './classify-purpose.ts'
import type { Section } from './purpose-text.ts'

/** An entry as it is read from its own row, with what the linking of entries still needs of it. */
export type EntryDraft = Readonly<{
  section: Section
  entry: RegistryEntry
  purposes: readonly ClassifiedPurpose[]
  /** The content without what is struck through in a row that is itself alive. */
  liveContent: EntryContent
  /** The text of the rights column, for guesses of what changed. */
  rightsText: string
  /** Its rank or purpose is struck through: not only its fields. */
  isHeadStruck: boolean
  remarks: readonly string[]
}>
