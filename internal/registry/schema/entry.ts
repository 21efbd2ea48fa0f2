/** An entry of section A (갑구) or B (을구) in the response [documents 5]. */
import { z } from 'zod'

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

export const entrySchema = z.strictObject({
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

export type RightType = (typeof RIGHT_TYPES)[number]
export type ActionType = (typeof ACTION_TYPES)[number]
export type PersonRole = (typeof PERSON_ROLES)[number]
export type AmountType = (typeof AMOUNT_TYPES)[number]
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
export type RegistryEntry = z.infer<typeof entrySchema>
