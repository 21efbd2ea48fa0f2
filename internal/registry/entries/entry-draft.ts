import type { EntryContent, RegistryEntry } from '../schema/document.ts'
import type { ClassifiedPurpose } from './classify-purpose.ts'
import type { Section } from './purpose-text.ts'

/** An entry as it is read from its own row, with what the linking of entries still needs of it. */
export type EntryDraft = {
  readonly section: Section
  readonly entry: RegistryEntry
  readonly purposes: readonly ClassifiedPurpose[]
  /** The content without what is struck through in a row that is itself alive. */
  readonly liveContent: EntryContent
  /** The text of the rights column, for guesses of what changed. */
  readonly rightsText: string
  /** Its rank or purpose is struck through: not only its fields. */
  readonly isHeadStruck: boolean
  readonly remarks: readonly string[]
}
