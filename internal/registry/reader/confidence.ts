/** Computes the confidence of a parsed document [documents 14]. */
import { scanConfidence } from '../scan/scan-confidence.ts'
import type { Confidence, Finding, RegistryDocument } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'

const HIGH = 85
const MIDDLE = 60
/** The confidence of a scan with text that OCR did not read, however sure it is of the rest: a value may be missing or wrong. */
const MOST_WITH_LOSS = 84

/** By how many percent a finding lowers the score of its part. */
const COSTS: Readonly<Record<string, number>> = {
  TARGET_NOT_FOUND: 2,
  STRUCK_WITHOUT_CANCELLATION: 4,
  CANCELLED_WITHOUT_STRIKE: 4,
  CANCELLED_TWICE: 4,
  CHANGED_WITHOUT_STRIKE: 4,
  STRUCK_WITHOUT_CHANGE: 4,
  CHANGE_CANCELLED: 4,
  STRUCK_IN_PART: 10,
  SUMMARY_MISMATCH: 5,
  MISSING_UNIQUE_NUMBER: 30,
  MISSING_ADDRESS: 20,
  MISSING_TITLE: 40,
  MISSING_SECTION_A: 30,
  FIELD_MISSING: 4,
  SHARES_INCOMPLETE: 10,
  PERSONS_UNCLEAR: 10,
  AREA_NOT_READ: 10,
  LAND_RATIO_NOT_READ: 10,
  LAND_TYPE_UNKNOWN: 10,
  COLLATERAL_NOT_READ: 4,
  LIST_INCOMPLETE: 5,
  RANK_MISSING: 3,
  RANK_ORDER: 5,
  RANK_NOT_READ: 10,
  COLUMNS_ASSUMED: 5,
  LAYOUT_UNEVEN: 10,
  RULE_IN_PARAGRAPH: 10,
  ROLE_OF_OTHER_SECTION: 10,
  EMPTY_TABLE: 10,
  UNREAD_TEXT: 10,
  TEXT_NOT_READ: 10,
  HEADING_MISSING: 15,
  TEXT_DAMAGED: 30,
  PAGES_INCOMPLETE: 20,
  OTHER_CERTIFICATE: 20,
  PAGE_WITHOUT_TEXT: 20,
  TEXT_OF_SCAN: 30,
  TEXT_COVERED: 20,
  // white text on a dark ground is counted as hidden too
  TEXT_HIDDEN: 20,
  // what was read is right
  REGISTER_CLOSED: 0,
  APPLICATION_PENDING: 0,
}
const OTHER_COST = 2
/** Ids of rows whose part has a score of its own. Findings about other rows lower the score of the document. */
const OF_A_PART = /^(title|gap:|eul:|trade:|summary)/

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const costOf = (warnings: readonly Finding[], prefix: RegExp): number => {
  const found = warnings.filter((warning) => prefix.test(warning.entry_id ?? ''))
  return Math.min(
    60,
    found.reduce((sum, { code }) => sum + (COSTS[code] ?? OTHER_COST), 0),
  )
}

const score = (value: number): number => Math.round(Math.min(100, Math.max(0, value)))

const titleScore = (title: RegistryDocument['title'], warnings: readonly Finding[]): number => {
  const wanted: unknown[] =
    title.property_type === 'land'
      ? [title.address, title.land_type, title.land_area]
      : [title.address, title.structure, title.building_type, title.total_floor_area]
  if (title.property_type === 'aggregate_building') wanted.push(title.exclusive_area)
  const found = wanted.filter((value) => value !== null).length
  return score(100 * (0.4 + (0.6 * found) / wanted.length) - costOf(warnings, /^title/))
}

type Doubt = Pick<
  RegistryDocument,
  'title' | 'section_a' | 'section_b' | 'trade_lists' | 'major_summary'
> &
  Readonly<{
    warnings: readonly Finding[]
    /** Null if the text came from the file itself. */
    ocrDoubt: number | null
  }>

/** The confidence of each part and of the whole document, in whole percent [documents 14.3]. */
export const measureConfidence = (document: Doubt): Confidence => {
  const { warnings } = document
  const entries = (part: RegistryDocument['section_a'], prefix: RegExp) =>
    part.length === 0
      ? 100
      : score(100 * average(part.map((entry) => entry.confidence)) - costOf(warnings, prefix))
  const details: Record<string, number> = {
    title: titleScore(document.title, warnings),
    section_a: entries(document.section_a, /^gap:/),
    section_b: entries(document.section_b, /^eul:/),
  }
  if (document.trade_lists.length > 0)
    details.trade_lists = score(100 - costOf(warnings, /^trade:/))
  if (document.major_summary !== null) {
    details.major_summary = score(100 - costOf(warnings, /^summary/))
  }
  const general = warnings
    .filter(({ entry_id }) => !OF_A_PART.test(entry_id ?? ''))
    .reduce((sum, { code }) => sum + (COSTS[code] ?? OTHER_COST), 0)
  const { ocrDoubt } = document
  const sure = average(Object.values(details)) - general
  const known = ocrDoubt === null ? sure : scanConfidence(sure, ocrDoubt)
  const isLossy = warnings.some(({ code }) => code === 'TEXT_NOT_READ')
  const overall = score(isLossy ? Math.min(known, MOST_WITH_LOSS) : known)
  return { overall, level: overall >= HIGH ? '높음' : overall >= MIDDLE ? '보통' : '낮음', details }
}

const DOUBT = 0.05
const MOST_DOUBT = 0.3

/**
 * Lowers the confidence of entries that checks and links doubt, such as one whose shares exceed the whole [documents 14.4].
 * The scores of the sections count these findings by their costs, so they take the confidence from before.
 */
export const withDoubts = (
  entries: readonly RegistryEntry[],
  findings: readonly Finding[],
): RegistryEntry[] => {
  const counts = new Map<string | null, number>()
  for (const { entry_id: id } of findings) counts.set(id, (counts.get(id) ?? 0) + 1)
  return entries.map((entry) => {
    const doubts = counts.get(entry.entry_id) ?? 0
    const confidence = Math.max(0, entry.confidence - Math.min(MOST_DOUBT, doubts * DOUBT))
    return { ...entry, confidence: Math.round(confidence * 100) / 100 }
  })
}
