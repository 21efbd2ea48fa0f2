import { z } from 'zod'

/**
 * The response of the registry parser, version 1.5.0, field by field [documents 3.1]. One source for the types
 * that the stages fill, and for the JSON Schema that is published at `/api/schemas/registry-1.5.0.json`.
 */
export const PARSER_VERSION = '1.5.0'

export const PROPERTY_TYPES = ['land', 'building', 'aggregate_building'] as const
const RIGHT_TYPES = [
  '소유권이전',
  '소유권보존',
  '근저당권',
  '임차권',
  '전세권',
  '지상권',
  '지역권',
  '가등기',
  '압류',
  '가압류',
  '경매',
  '신탁',
  '가처분',
  '등기명의인표시변경',
  '부기등기',
  '미분류',
] as const
const ACTION_TYPES = ['설정', '이전', '일부이전', '변경', '경정', '말소', '부기'] as const
const PERSON_ROLES = [
  '소유자',
  '공유자',
  '수탁자',
  '채무자',
  '근저당권자',
  '전세권자',
  '임차인',
  '지상권자',
  '채권자',
  '권리자',
] as const
const AMOUNT_TYPES = ['채권최고액', '채권액', '보증금', '차임', '청구금액', '거래가액'] as const

const text = z.string()
const optionalText = z.string().nullable()
const squareMetres = z.number().nullable().describe('Square metres')

const titleEntry = {
  entry_id: text.describe('`{table}:p{page}:r{row}`, rows counted from 1 per table and page'),
  display_number: text.describe('As printed, with the number before computerisation: `1 (전 2)`'),
  cause_and_other: text,
  is_cancelled: z.boolean(),
}

const landEntrySchema = z.strictObject({
  ...titleEntry,
  receipt_date: optionalText,
  location: text,
  land_type: optionalText,
  area: optionalText,
})
const buildingEntrySchema = z.strictObject({
  ...titleEntry,
  receipt_date: optionalText,
  location_or_number: text,
  building_detail: text.describe('Lines of the cell, separated by line feeds'),
})
const exclusivePartEntrySchema = z.strictObject({
  ...titleEntry,
  receipt_date: optionalText,
  building_number: text,
  building_detail: text,
})
const landRightEntrySchema = z.strictObject({
  ...titleEntry,
  location: text,
  land_type: optionalText,
  area: optionalText,
})
const landRightRatioEntrySchema = z.strictObject({
  ...titleEntry,
  land_right_type: optionalText,
  land_right_ratio: optionalText,
})
const floorAreaSchema = z.strictObject({
  floor: text.describe('The label as printed: `지하1층`, `1층`, `옥탑1층`'),
  area: z.number().describe('Square metres'),
  is_excluded: z.boolean().describe('Not counted in the total floor area (`연면적제외`)'),
})

const buildingFields = {
  address: optionalText,
  road_address: optionalText,
  structure: optionalText,
  roof_type: optionalText,
  floors: z.int().nullable().describe('Floors above ground'),
  building_type: optionalText,
  areas: z.array(floorAreaSchema),
  total_floor_area: squareMetres,
  building_entries: z.array(buildingEntrySchema),
}

const titleSchema = z.discriminatedUnion('property_type', [
  z.strictObject({
    property_type: z.literal('land'),
    address: optionalText,
    land_type: optionalText,
    land_area: optionalText,
    land_entries: z.array(landEntrySchema),
  }),
  z.strictObject({ property_type: z.literal('building'), ...buildingFields }),
  z.strictObject({
    property_type: z.literal('aggregate_building'),
    ...buildingFields,
    building_name: optionalText,
    exclusive_area: squareMetres,
    land_right_ratio: optionalText,
    land_right_area: z
      .number()
      .nullable()
      .describe('Square metres of the land that the right is a share of: the denominator'),
    exclusive_part_entries: z.array(exclusivePartEntrySchema),
    land_right_entries: z.array(landRightEntrySchema),
    land_right_ratio_entries: z.array(landRightRatioEntrySchema),
  }),
])

const purposeFields = {
  raw: text.describe('As printed; the purposes of a compound are separated by line feeds'),
  normalized: text.describe('Without blanks'),
  right_type: z.enum(RIGHT_TYPES),
  action_type: z.enum(ACTION_TYPES),
  target_rank: optionalText.describe('The rank it is about; several are joined by commas: `4,5,6`'),
  target_type: optionalText.describe('Section B only: the kind of right it is about'),
  target_owner: optionalText.describe('Section A only: whose share it is about'),
}
const subPurposeSchema = z.strictObject({
  ...purposeFields,
  sub_purposes: z.array(z.unknown()).max(0).describe('Always empty: purposes nest once'),
})
const purposeSchema = z.strictObject({
  ...purposeFields,
  sub_purposes: z.array(subPurposeSchema),
})

const personSchema = z.strictObject({
  name: text,
  role: z.enum(PERSON_ROLES),
  resident_number: optionalText,
  address: optionalText,
  share: optionalText,
})
const amountSchema = z.strictObject({
  type: z.enum(AMOUNT_TYPES),
  value: z.int().describe('Won'),
  raw: text,
})
const shareSchema = z.strictObject({
  owner_name: text,
  raw: text,
  numerator: z.int().nullable(),
  denominator: z.int().nullable(),
})
const collateralItemSchema = z.strictObject({
  property_type: text,
  location: text,
  area: optionalText,
  type: z.enum(['listed', 'addition']),
  reference: optionalText,
})
const collateralSchema = z.strictObject({
  list_number: optionalText,
  items: z.array(collateralItemSchema),
})
const contentSchema = z.strictObject({
  persons: z.array(personSchema),
  amounts: z.array(amountSchema),
  shares: z.array(shareSchema),
  collateral: collateralSchema.nullable(),
  term: z
    .strictObject({
      purpose: optionalText,
      scope: optionalText,
      duration: optionalText,
      land_rent: optionalText,
    })
    .nullable(),
  lease: z
    .strictObject({
      contract_date: optionalText,
      resident_registration_date: optionalText,
      possession_start_date: optionalText,
      fixed_date: optionalText,
      lease_area: optionalText,
    })
    .nullable(),
  protected_right: optionalText,
  prohibition_text: optionalText,
  trade_list_number: optionalText,
  annotation_date: optionalText,
  notes_raw: optionalText,
  cancels_cause: optionalText,
})

const modificationSchema = z.strictObject({
  by_rank: text,
  type: z.enum(['change', 'correct', 'annotate']),
  changed_fields_guess: z.array(text),
  raw: text,
})
const statusSchema = z.strictObject({
  is_cancelled: z.boolean().describe('The legal judgement, from the purposes'),
  cancelled_by_rank: optionalText,
  cancellation_date: optionalText,
  cancellation_cause: optionalText,
  modifications: z.array(modificationSchema),
})
const bbox = z
  .array(z.number())
  .length(4)
  .describe('[left, top, right, bottom] in points, from the top left corner of the page')
const provenanceSchema = z.strictObject({
  page_no: z.int().min(1),
  bbox: bbox.nullable(),
  merged_from: z.array(z.strictObject({ page: z.int(), row: z.int() })),
  is_continuation: z.boolean(),
  is_visual_cancelled: z.boolean().describe('Struck through in the PDF'),
})

const entrySchema = z.strictObject({
  entry_id: text.describe('`{gap|eul}:p{page}:r{row}`'),
  rank_number: text,
  previous_rank: optionalText,
  purpose: purposeSchema,
  receipt: z.strictObject({ date: text, number: text }),
  cause: z.strictObject({ text: text, date: optionalText }),
  content: contentSchema,
  status: statusSchema,
  provenance: provenanceSchema,
  raw_text: text,
  confidence: z.number().min(0).max(1),
})

const tradeListSchema = z.strictObject({
  list_number: text,
  trade_amount: z.int().nullable().describe('Won'),
  items: z.array(
    z.strictObject({
      entry_id: text,
      serial_number: text,
      property_description: text,
      rank_number: text,
      registration_cause: text,
      correction_cause: text,
    }),
  ),
})

const summaryOwnerSchema = z.strictObject({
  entry_id: text,
  name: text,
  resident_number: optionalText,
  final_share: optionalText,
  address: optionalText,
  rank_number: text,
})
const summaryRightSchema = z.strictObject({
  entry_id: text,
  rank_number: text,
  registration_purpose: text,
  receipt_date: text,
  receipt_number: text,
  target_owner: optionalText,
  creditor: optionalText,
  max_claim_amount: z.int().nullable(),
  bond_amount: z.int().nullable(),
  deposit_amount: z.int().nullable(),
  purpose: optionalText,
  is_cancelled: z.boolean(),
})
const majorSummarySchema = z.strictObject({
  property_type: z.enum(PROPERTY_TYPES),
  address: text,
  owners: z.array(summaryOwnerSchema),
  rights: z.array(summaryRightSchema),
})

const findingSchema = z.strictObject({
  code: text,
  message: text,
  entry_id: optionalText,
})
const diagnosticsSchema = z.strictObject({
  errors: z.array(findingSchema),
  warnings: z.array(findingSchema),
  metrics: z.record(text, z.number()),
  sections_found: z.array(text),
  rows_by_section: z.record(text, z.int()),
  pages_by_section: z.record(text, z.array(z.int())),
})

export const registryDocumentSchema = z.strictObject({
  meta: z.strictObject({
    parser_version: z.literal(PARSER_VERSION),
    parsed_at: text.describe('ISO 8601'),
    document_id: optionalText.describe('SHA-256 of the PDF, hexadecimal'),
  }),
  profile: z.strictObject({
    certificate_type: z.enum(['full', 'partial']),
    include_cancellations: z.boolean(),
    property_type: z.enum(PROPERTY_TYPES),
    layout_profile: text,
  }),
  source: z.strictObject({
    page_count: z.int(),
    text_length: z.int(),
    pdf_text_based: z.boolean(),
  }),
  unique_number: text.describe('NNNN-YYYY-NNNNNN'),
  property_address: text,
  jurisdiction: optionalText,
  viewed_at: optionalText,
  issued_at: optionalText,
  verification_image: optionalText.describe('PNG, Base64'),
  title: titleSchema,
  section_a: z.array(entrySchema),
  section_b: z.array(entrySchema),
  trade_lists: z.array(tradeListSchema),
  major_summary: majorSummarySchema.nullable(),
  diagnostics: diagnosticsSchema,
  raw_text: text,
})

const confidenceSchema = z.strictObject({
  overall: z.int().min(0).max(100),
  level: z.enum(['높음', '보통', '낮음']),
  details: z.record(text, z.int().min(0).max(100)),
})

/** The whole answer of `POST /document-parser/registry`. */
export const parserResponseSchema = z.strictObject({
  document_type: z.literal('registry'),
  parser_version: z.literal(PARSER_VERSION),
  parsed_at: text,
  data: registryDocumentSchema,
  confidence: confidenceSchema,
})

export type PropertyType = (typeof PROPERTY_TYPES)[number]
export type RightType = (typeof RIGHT_TYPES)[number]
export type ActionType = (typeof ACTION_TYPES)[number]
export type PersonRole = (typeof PERSON_ROLES)[number]
export type AmountType = (typeof AMOUNT_TYPES)[number]
export type RegistryTitle = z.infer<typeof titleSchema>
export type LandEntry = z.infer<typeof landEntrySchema>
export type BuildingEntry = z.infer<typeof buildingEntrySchema>
export type ExclusivePartEntry = z.infer<typeof exclusivePartEntrySchema>
export type LandRightEntry = z.infer<typeof landRightEntrySchema>
export type LandRightRatioEntry = z.infer<typeof landRightRatioEntrySchema>
export type FloorArea = z.infer<typeof floorAreaSchema>
export type PurposeInfo = z.infer<typeof purposeSchema>
export type SubPurpose = z.infer<typeof subPurposeSchema>
export type PersonInfo = z.infer<typeof personSchema>
export type AmountInfo = z.infer<typeof amountSchema>
export type ShareInfo = z.infer<typeof shareSchema>
export type CollateralItem = z.infer<typeof collateralItemSchema>
export type CollateralInfo = z.infer<typeof collateralSchema>
export type EntryContent = z.infer<typeof contentSchema>
export type EntryStatus = z.infer<typeof statusSchema>
export type Modification = z.infer<typeof modificationSchema>
export type Provenance = z.infer<typeof provenanceSchema>
export type RegistryEntry = z.infer<typeof entrySchema>
export type TradeList = z.infer<typeof tradeListSchema>
export type SummaryOwner = z.infer<typeof summaryOwnerSchema>
export type SummaryRight = z.infer<typeof summaryRightSchema>
export type MajorSummary = z.infer<typeof majorSummarySchema>
export type Finding = z.infer<typeof findingSchema>
export type RegistryDocument = z.infer<typeof registryDocumentSchema>
export type Confidence = z.infer<typeof confidenceSchema>
export type ParserResponse = z.infer<typeof parserResponseSchema>
