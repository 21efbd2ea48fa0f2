import type {
  ActionType,
  AmountInfo,
  CollateralInfo,
  EntryContent,
  EntryStatus,
  PersonRole,
  PropertyType,
  RegistryTitle,
  RightType,
  ShareInfo,
  SummaryOwner,
  SummaryRight,
} from '#core/registry/document.ts'

/**
 * What the parser must answer for a generated certificate. It comes from the world that was printed, never from reading the print.
 * A field that is absent is one that the brief leaves open; a field that is null must be null.
 *
 * Where a line ends inside a cell, the print does not tell whether a blank stood there. Texts are therefore to be compared without
 * blanks (`withoutBlanks`), line feeds too, except those that separate the purposes of a compound in `purpose.raw`.
 */
export type PurposeTruth = {
  raw: string
  /** Absent for a compound: whether it is the first purpose or all of them is open. */
  normalized?: string
  right_type: RightType
  action_type: ActionType
  target_rank?: string | null
  target_type?: string | null
  target_owner?: string | null
}
export type PersonTruth = {
  name: string
  role: PersonRole
  /** Absent for the four-digit code of a local government: the brief names no place for it. */
  resident_number?: string | null
  /** Absent where a branch follows (address or notes), and where the address alone is struck. */
  address?: string | null
  share: string | null
}
export type CollateralTruth = Omit<CollateralInfo, 'items'> & {
  items: (Omit<CollateralInfo['items'][number], 'location'> & { location?: string })[]
}
export type ContentTruth = {
  persons?: PersonTruth[]
  amounts?: AmountInfo[]
  shares?: ShareInfo[]
  collateral?: CollateralTruth | null
  term?: Partial<EntryContent['term'] & object> | null
  lease?: Partial<EntryContent['lease'] & object> | null
  protected_right?: string | null
  prohibition_text?: string | null
  trade_list_number?: string | null
  annotation_date?: string | null
  cancels_cause?: string | null
  /** `notes_raw` must contain each of these; what else it holds is open. */
  notes_contain: string[]
}
export type ModificationTruth = {
  by_rank: string
  /** Absent where the brief gives no kind (a transfer of the reserved right, a restoration). */
  type?: EntryStatus['modifications'][number]['type']
  changed_fields_guess?: string[]
}
export type EntryTruth = {
  rank_number: string
  previous_rank: string | null
  purpose: PurposeTruth
  sub_purposes: PurposeTruth[]
  /** Empty texts where the cells are empty. */
  receipt: { date: string; number: string }
  /** Absent where a rank prints two causes (reserved and main registration). */
  cause?: { text: string; date: string | null }
  content: ContentTruth
  status: {
    is_cancelled?: boolean
    cancelled_by_rank?: string | null
    cancellation_date?: string | null
    cancellation_cause?: string | null
    /** Each must be there; more may be there only from the ranks of `open_modifications`. */
    modifications: ModificationTruth[]
    open_modifications: string[]
  }
  page_no: number
  /** Printed on more than one page, and joined. */
  is_continuation: boolean
  is_visual_cancelled?: boolean
}

type WithoutId<Item> = Omit<Item, 'entry_id'>
type OpenFields<Item> = { [Field in keyof WithoutId<Item>]?: WithoutId<Item>[Field] }
type TitleOf<Kind extends PropertyType> = Extract<RegistryTitle, { property_type: Kind }>
/** Fields of a title without its rows, and the rows without their ids. */
type TitleTruthOf<Kind extends PropertyType> = {
  property_type: Kind
} & {
  [Field in Exclude<
    keyof TitleOf<Kind>,
    'property_type'
  >]?: TitleOf<Kind>[Field] extends (infer Item)[]
    ? Item extends { entry_id: string }
      ? OpenFields<Item>[]
      : Item[]
    : TitleOf<Kind>[Field]
}
export type TitleTruth =
  | TitleTruthOf<'land'>
  | TitleTruthOf<'building'>
  | TitleTruthOf<'aggregate_building'>
export type LandTitleTruth = TitleTruthOf<'land'>
export type BuildingTitleTruth = TitleTruthOf<'building'>
export type AggregateTitleTruth = TitleTruthOf<'aggregate_building'>

export type TradeListTruth = {
  list_number: string
  trade_amount: number
  items: {
    serial_number: string
    property_description: string
    rank_number: string
    registration_cause: string
    correction_cause: string
  }[]
}
export type SummaryTruth = {
  property_type: PropertyType
  address: string
  owners: WithoutId<SummaryOwner>[]
  rights: OpenFields<SummaryRight>[]
}
export type CertificateTruth = {
  profile: {
    certificate_type: 'full' | 'partial'
    include_cancellations: boolean
    property_type: PropertyType
    layout_profile: string
  }
  page_count: number
  unique_number: string
  /** Without the tag `[토지]`. */
  property_address: string
  jurisdiction: string
  viewed_at: string | null
  issued_at: string | null
  title: TitleTruth
  /** Absent for a copy of the current owners, whose only table is of another kind. */
  section_a?: EntryTruth[]
  section_b?: EntryTruth[]
  trade_lists: TradeListTruth[]
  major_summary: SummaryTruth | null
  /** Codes that the warnings must contain. */
  warnings: string[]
}

export const withoutBlanks = (text: string): string => text.replaceAll(/\s/g, '')
