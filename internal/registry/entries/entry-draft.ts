/** The intermediate form of an entry, between reading its row and linking it to other entries. */
import type { EntryContent, RegistryEntry } from '../schema/entry.ts'
import type { ClassifiedPurpose } from './classify-purpose.ts'
import type { Section } from './purpose-text.ts'

/** An entry as read from its own row, with what linking still needs. */
export type EntryDraft = Readonly<{
  section: Section
  entry: RegistryEntry
  purposes: readonly ClassifiedPurpose[]
  /** The content without struck parts of a row that is itself in force. */
  liveContent: EntryContent
  /** The text of the rights column, from which changed fields are guessed. */
  rightsText: string
  /** The struck names of `liveContent`, without blanks: their numbers are not struck. */
  struckNames: string
  /** Whether rank or purpose is struck through, not only fields. */
  isHeadStruck: boolean
  remarks: readonly string[]
  /** The share of its letters, 0 to 1, that OCR is not sure of. */
  ocrDoubt: number
}>
