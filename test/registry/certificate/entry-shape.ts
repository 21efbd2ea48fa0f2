import type { Day } from './calendar.ts'
import type { Band } from './text.ts'
import type { ContentTruth, ModificationTruth, PurposeTruth } from './truth.ts'

export type Section = 'a' | 'b'
export type Receipt = { readonly day: Day; readonly number: string }
export type Cause = { readonly day: Day | null; readonly text: string }

export type Entry = {
  readonly section: Section
  readonly rank: string
  readonly parent: Entry | null
  /** Where it stands in its section: rank, then the rank below it. */
  readonly order: readonly number[]
  readonly band: Band
  readonly purposes: readonly PurposeTruth[]
  readonly receipt: Receipt | null
  readonly cause: Cause | null
  readonly hasOpenCause: boolean
  readonly content: ContentTruth
  previousRank: string | null
  /** By whom; `unprinted` where no row says so and only the strike shows it. */
  cancelledBy: Entry | 'unprinted' | null
  cancellation: { readonly day: Day | null; readonly cause: string | null }
  /** Whether it is cancelled is open (the first of two rows with one rank after a restoration). */
  hasOpenStatus: boolean
  /** A row that does nothing but cancel. */
  readonly isCanceller: boolean
  /** An earlier owner: alive for the law, but not printed on a current copy. */
  isPast: boolean
  readonly modifications: {
    readonly by: Entry
    readonly truth: Omit<ModificationTruth, 'by_rank'>
  }[]
  /** What a later entry replaced. Once the whole entry is struck too, whether these still count is open. */
  readonly superseded: Set<'persons' | 'amounts' | 'term' | 'lease'>
  /** Entries that may or may not count as a modification. */
  readonly openModifications: Entry[]
}
