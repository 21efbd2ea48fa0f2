/**
 * The registry parser as a pipeline: reader (pages to lines), tables (lines to rows),
 * title, entries and lists (rows to fields), links between entries, cross-checks and
 * confidence. It is pure; `internal/pdf` and `internal/ocr` supply the pages.
 */
import type { EntryDraft } from './entries/entry-draft.ts'
import { linkEntries } from './entries/link-entries.ts'
import type { Section } from './entries/purpose-text.ts'
import { readEntry } from './entries/read-entry.ts'
import { remarksOf } from './entries/remarks.ts'
import { squeeze } from './fields/normal-text.ts'
import { type CollateralList, readCollateralLists, readTradeLists } from './lists/read-lists.ts'
import type { SourceContent } from './page-content.ts'
import { arrangePages, isRearranged } from './reader/arrange-pages.ts'
import { checkLayout } from './reader/check-layout.ts'
import { checkEmpty, checkPages } from './reader/check-pages.ts'
import { checkPending } from './reader/check-pending.ts'
import { measureConfidence, withDoubts } from './reader/confidence.ts'
import { crossCheck } from './reader/cross-check.ts'
import { findDamage } from './reader/find-damage.ts'
import { findUnread } from './reader/find-unread.ts'
import { checkOthers } from './reader/first-certificate.ts'
import { continuedPropertyLines } from './reader/property-line.ts'
import { type Pages, readPages } from './reader/read-pages.ts'
import { type DocumentHead, detectDocument } from './reader/read-profile.ts'
import { checkRepeated } from './reader/repeated-pages.ts'
import { countSections, findMissing } from './reader/sections-found.ts'
import { selfCheck } from './reader/self-check.ts'
import { textOf } from './reader/text-line.ts'
import { withOcrDoubts } from './scan/doubted-entries.ts'
import { findNotRead, withDoubt } from './scan/not-read.ts'
import {
  type Confidence,
  type Finding,
  finding,
  PARSER_VERSION,
  type RegistryDocument,
} from './schema/document.ts'
import type { RegistryEntry } from './schema/entry.ts'
import { readHolders, readSummary } from './summary/read-summary.ts'
import { readSummaryRows } from './summary/summary-table.ts'
import { readTables, type Table } from './tables/read-tables.ts'
import type { ToPageBox } from './tables/row.ts'
import { checkClosed } from './title/check-closed.ts'
import { readTitle } from './title/read-title.ts'

export type RegistryParse =
  | Readonly<{
      kind: 'document'
      document: RegistryDocument
      confidence: Confidence
    }>
  | Readonly<{
      kind: 'refused'
      code: 'unsupported_document' | 'nothing_recognised' | 'no_text_layer'
      message: string
    }>

type ParseMeta = Readonly<{ parsedAt: string; documentId: string | null }>

/** Every certificate has more characters. A source with fewer is a scan, or not a document at all. */
const SHORTEST_TEXT = 20
const SHORT_TEXT = 200

const REORDERED = finding(
  'PAGES_REORDERED',
  'The pages were not in the order of their numbers; they were read in that order.',
)

const DAMAGED_DATA = finding(
  'TEXT_DAMAGED',
  'Data of the file is damaged, so text may be missing or wrong; send the file as the registry issues it.',
)

const TOO_SHORT = finding(
  'TEXT_TOO_SHORT_POSSIBLE_SCANNED_PDF',
  'The PDF has very little text; it may be a scan.',
)

const draftsOf = (tables: readonly Table[], section: Section, box: ToPageBox): EntryDraft[] =>
  tables
    .filter((table) => table.kind === section)
    .flatMap((table) => table.rows.map((row) => readEntry(row, section, box)))

/** Adds the properties of a list to the entries that refer to the list. */
const withCollateral = (
  entries: readonly RegistryEntry[],
  lists: readonly CollateralList[],
): RegistryEntry[] =>
  entries.map((entry) => {
    const { collateral } = entry.content
    const list = lists.find(({ listNumber }) => listNumber === collateral?.list_number)
    if (collateral === null || list === undefined) return entry
    const items = [...collateral.items, ...list.items]
    return { ...entry, content: { ...entry.content, collateral: { ...collateral, items } } }
  })

const refuse = (
  code: 'unsupported_document' | 'nothing_recognised' | 'no_text_layer',
): RegistryParse => {
  const messages = {
    unsupported_document:
      'This is a certificate of another kind. Send a certificate of a land, building or aggregate building register.',
    nothing_recognised:
      'Nothing of a property registry certificate was recognised in this file. Send the PDF as the registry issues it.',
    no_text_layer:
      'This PDF has no text: it is a scan. Send the PDF as the registry issues it, or install OCR on the server.',
  }
  return { kind: 'refused', code, message: messages[code] }
}

/**
 * Parses a property registry certificate from the text and lines of its pages [documents 3].
 * @param meta the time of parsing and the id of the document; apart from these, the result depends only on the pages
 * @returns the document, or the reason why the source is not one
 */
export const parseRegistry = (given: SourceContent, meta: ParseMeta): RegistryParse => {
  const source = arrangePages(given)
  const pages = readPages(source)
  const texts = pages.lines.map((lines) => lines.map((line) => textOf(line.pieces)))
  const rawText = texts.map((lines) => lines.join('\n')).join('\n\n')
  if (source.isUnnamed === true || squeeze(rawText).length < SHORTEST_TEXT) {
    return refuse(source.isTextBased ? 'no_text_layer' : 'nothing_recognised')
  }
  const own = texts.filter((_, at) => !source.pages[at]?.isOfOther).flat()
  const detection = detectDocument(own)
  if (detection.kind !== 'registry') {
    // of a damaged file the words that tell the kind may be lost
    const isDamaged = source.isDoubtful === true || findDamage(rawText).length > 0
    const isOther = detection.kind === 'other_certificate' && !isDamaged
    return refuse(isOther ? 'unsupported_document' : 'nothing_recognised')
  }
  const { propertyAddress } = detection.head
  const [more] = continuedPropertyLines(pages.body)
  const address = more === undefined ? propertyAddress : `${propertyAddress} ${textOf(more.pieces)}`
  const head = { ...detection.head, propertyAddress: address }
  return assemble(source, meta, { pages, rawText, texts: own, head })
}

/** The profile by the title, and by what the title does not state: the source, and the cancellations of a certificate of a part. */
const profileOf = (
  { profile }: DocumentHead,
  { isTextBased }: SourceContent,
  entries: readonly RegistryEntry[],
): RegistryDocument['profile'] => {
  const isPartial = profile.certificate_type === 'partial'
  const hasStrikes = entries.some(({ provenance }) => provenance.is_visual_cancelled)
  return {
    ...profile,
    ...(isPartial && hasStrikes && { include_cancellations: true }),
    ...(!isTextBased && { layout_profile: 'scan_ocr' }),
  }
}

type Read = Readonly<{
  pages: Pages
  rawText: string
  /** The lines of the pages of this certificate. */
  texts: readonly string[]
  head: DocumentHead
}>

const readSections = (tables: readonly Table[], box: ToPageBox) => {
  const draftsA = draftsOf(tables, 'section_a', box)
  const draftsB = draftsOf(tables, 'section_b', box)
  const linked = linkEntries(draftsA, draftsB)
  const lists = readCollateralLists(tables)
  const ended = lists.flatMap((list) =>
    list.ended.map((serial) => ({
      code: 'COLLATERAL_ENDED',
      message: `Item ${serial} of list ${list.listNumber} has been changed or ended.`,
      entry_id: null,
    })),
  )
  return {
    sectionA: linked.sectionA,
    sectionB: withCollateral(linked.sectionB, lists),
    remarks: remarksOf([...draftsA, ...draftsB], [...linked.sectionA, ...linked.sectionB]),
    ocrDoubts: new Map(
      [...draftsA, ...draftsB].map(({ entry, ocrDoubt }) => [entry.entry_id, ocrDoubt]),
    ),
    warnings: [...linked.warnings, ...ended],
  }
}

/** Checks the positions of texts, which OCR does not give exactly. */
const layoutOf = (pages: Pages, tables: readonly Table[]): readonly Finding[] => {
  const rows = tables.flatMap((table) => table.rows)
  return checkLayout({ ...pages, rows, summaryRows: readSummaryRows(pages.summary) })
}

const assemble = (source: SourceContent, meta: ParseMeta, read: Read): RegistryParse => {
  const { pages, rawText, head } = read
  const { tables, unplaced, strayHeads, holders } = readTables(pages.body)
  const sections = readSections(tables, pages.toPageBox)
  const property = { type: head.profile.property_type, address: head.propertyAddress }
  const notRead = findNotRead(source.pages, [...sections.sectionA, ...sections.sectionB])
  const content = {
    title: readTitle(tables, property.type),
    section_a: withDoubt(sections.sectionA, notRead),
    section_b: withDoubt(sections.sectionB, notRead),
    trade_lists: readTradeLists(tables),
    major_summary: readSummary(pages.summary, property) ?? readHolders(holders, property),
  }
  const counted = countSections(tables, pages.summary)
  const { owners = [], rights = [] } = content.major_summary ?? {}
  const rowCount = Object.values(counted.rows).reduce((sum, rows) => sum + rows, 0)
  // a heading alone must not be charged for: every certificate has at least one title entry
  if (rowCount + owners.length + rights.length === 0) return refuse('nothing_recognised')
  const short = squeeze(rawText).length < SHORT_TEXT
  const { unread, warnings: unreadWarnings } = findUnread(
    [...pages.body, ...pages.others],
    unplaced,
    pages.toPageBox,
  )
  const checks = selfCheck({
    tables,
    strayHeads,
    profile: head.profile,
    ...sections,
  })
  const layout = source.isTextBased ? layoutOf(pages, tables) : []
  const crossed = crossCheck({ ...content, profile: head.profile })
  const doubts = [...layout, ...checks, ...sections.warnings, ...crossed]
  const warnings = [
    ...findMissing(head, tables, owners.length),
    ...checkOthers(source.pages),
    ...checkRepeated(source.pages),
    ...checkClosed(tables, head.isClosed),
    ...checkPending(read.texts),
    ...unreadWarnings,
    ...notRead,
    ...(source.isTextBased ? findDamage(rawText) : []),
    ...(source.isDoubtful === true ? [DAMAGED_DATA] : []),
    ...(isRearranged(source) ? [REORDERED] : []),
    ...(source.isTextBased ? checkPages(source.pages) : []),
    ...checkEmpty(source.pages, source.isTextBased),
    ...sections.remarks,
    ...doubts,
    ...(short ? [TOO_SHORT] : []),
  ]
  const document: RegistryDocument = {
    meta: {
      parser_version: PARSER_VERSION,
      parsed_at: meta.parsedAt,
      document_id: meta.documentId,
    },
    profile: profileOf(head, source, [...content.section_a, ...content.section_b]),
    source: {
      page_count: source.pages.length,
      text_length: rawText.length,
      pdf_text_based: source.isTextBased,
    },
    unique_number: head.uniqueNumber ?? '',
    property_address: head.propertyAddress,
    jurisdiction: head.jurisdiction,
    viewed_at: head.viewedAt,
    issued_at: head.issuedAt,
    verification_image: source.picture,
    ...content,
    section_a: withOcrDoubts(withDoubts(content.section_a, doubts), sections.ocrDoubts),
    section_b: withOcrDoubts(withDoubts(content.section_b, doubts), sections.ocrDoubts),
    diagnostics: {
      errors: [],
      warnings,
      metrics: {},
      sections_found: counted.found,
      rows_by_section: counted.rows,
      pages_by_section: counted.pages,
      unread,
    },
    raw_text: rawText,
  }
  const confidence = measureConfidence({ ...content, warnings, ocrDoubt: source.ocrDoubt ?? null })
  return { kind: 'document', document, confidence }
}
