/**
 * The response of the registry parser, version 1.5.0, field by field [documents 3.1]. The schemas give the types that
 * the stages of the parser fill, and the JSON Schema published at `/api/schemas/registry-1.5.0.json`.
 */
import { z } from 'zod'
import { entrySchema } from './entry.ts'
import { PROPERTY_TYPES, titleSchema } from './title.ts'

export const PARSER_VERSION = '1.5.0'

const text = z.string()
const optionalText = z.string().nullable()

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
const unreadSchema = z.strictObject({
  page: z.int(),
  box: z.array(z.number()).describe('`[left, top, right, bottom]` in points from the top left'),
  text,
})
const diagnosticsSchema = z.strictObject({
  errors: z.array(findingSchema),
  warnings: z.array(findingSchema),
  metrics: z.record(text, z.number()),
  sections_found: z.array(text),
  rows_by_section: z.record(text, z.int()),
  pages_by_section: z.record(text, z.array(z.int())),
  unread: z.array(unreadSchema).describe('Text on pages of the register that belongs to no field'),
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

/** The whole response of `POST /document-parser/registry`. */
export const parserResponseSchema = z.strictObject({
  document_type: z.literal('registry'),
  parser_version: z.literal(PARSER_VERSION),
  parsed_at: text,
  data: registryDocumentSchema,
  confidence: confidenceSchema,
})

export type TradeList = z.infer<typeof tradeListSchema>
export type SummaryOwner = z.infer<typeof summaryOwnerSchema>
export type SummaryRight = z.infer<typeof summaryRightSchema>
export type MajorSummary = z.infer<typeof majorSummarySchema>
export type Finding = z.infer<typeof findingSchema>
export type UnreadText = z.infer<typeof unreadSchema>
export type RegistryDocument = z.infer<typeof registryDocumentSchema>
export type Confidence = z.infer<typeof confidenceSchema>
export type ParserResponse = z.infer<typeof parserResponseSchema>

export const finding = (code: string, message: string, entryId: string | null = null): Finding => ({
  code,
  message,
  entry_id: entryId,
})
