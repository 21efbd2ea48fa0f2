import type { RegistryDocument } from '#registry/schema/document.ts'
import type { RegistryEntry } from '#registry/schema/entry.ts'
import type { CertificateTruth, EntryTruth } from '../fixtures/certificate/truth.ts'
import { compare, type Tally } from './tally.ts'

/** The groups of fields in the report, and their places in the content of an entry. */
const CONTENT_GROUPS = {
  persons: 'persons',
  amounts: 'amounts',
  shares: 'shares',
  collateral: 'collateral',
  term: 'term',
  lease: 'lease',
  protected_right: 'other content',
  prohibition_text: 'other content',
  trade_list_number: 'other content',
  annotation_date: 'other content',
  cancels_cause: 'other content',
} as const

function isContentField(key: string): key is keyof typeof CONTENT_GROUPS {
  return key in CONTENT_GROUPS
}

function compareContent(tally: Tally, path: string, truth: EntryTruth, found: RegistryEntry): void {
  for (const [key, value] of Object.entries(truth.content)) {
    if (value === undefined || !isContentField(key)) continue
    compare(
      tally,
      { group: CONTENT_GROUPS[key], path: `${path}.${key}` },
      value,
      found.content[key],
    )
  }
  const notes = (found.content.notes_raw ?? '').replace(/\s/g, '')
  for (const note of truth.content.notes_contain) {
    const isThere = notes.includes(note.replace(/\s/g, ''))
    const wanted = { group: 'notes', path: `${path}.notes_raw` }
    compare(tally, wanted, note, isThere ? note : found.content.notes_raw)
  }
}

function compareModifications(
  tally: Tally,
  path: string,
  truth: EntryTruth,
  found: RegistryEntry,
): void {
  const { modifications, open_modifications: open } = truth.status
  const rest = [...found.status.modifications]
  for (const [index, wanted] of modifications.entries()) {
    const at = rest.findIndex((change) => change.by_rank === wanted.by_rank)
    const [change] = at === -1 ? [] : rest.splice(at, 1)
    compare(
      tally,
      { group: 'modifications', path: `${path}.modifications[${index}]` },
      wanted,
      change,
    )
  }
  for (const extra of rest.filter((change) => !open.includes(change.by_rank))) {
    compare(tally, { group: 'modifications', path: `${path}.modifications` }, null, extra.by_rank)
  }
}

function compareEntry(tally: Tally, path: string, truth: EntryTruth, found: RegistryEntry): void {
  const { status, provenance } = found
  const at = (group: string) => ({ group, path })
  compare(tally, at('ranks'), { previous_rank: truth.previous_rank }, found)
  const whole = { ...truth.purpose, sub_purposes: truth.sub_purposes }
  compare(tally, at('purpose'), whole, found.purpose)
  compare(tally, at('receipt'), { receipt: truth.receipt }, found)
  compare(tally, at('cause'), { cause: truth.cause }, found)
  compareContent(tally, path, truth, found)
  const { modifications: _modifications, open_modifications: _open, ...legal } = truth.status
  compare(tally, at('cancellation'), legal, status)
  compareModifications(tally, path, truth, found)
  const seen = {
    page_no: truth.page_no,
    is_continuation: truth.is_continuation,
    is_visual_cancelled: truth.is_visual_cancelled,
  }
  compare(tally, at('provenance'), seen, provenance)
}

/** Pairs each entry with the next one of its rank, so that a lost entry does not make the others wrong, too. */
function paired(
  truth: readonly EntryTruth[],
  found: readonly RegistryEntry[],
): readonly (readonly [EntryTruth, RegistryEntry | undefined])[] {
  let from = 0
  return truth.map((entry) => {
    const at = found.findIndex(
      ({ rank_number }, index) => index >= from && rank_number === entry.rank_number,
    )
    if (at === -1) return [entry, undefined]
    from = at + 1
    return [entry, found[at]]
  })
}

/** The floors that were read, in the order of the truth, so that a lost floor does not make the others wrong, too. */
function withFloorsBeside(
  truth: CertificateTruth['title'],
  found: RegistryDocument['title'],
): RegistryDocument['title'] | Readonly<{ areas: readonly unknown[] }> {
  if (!('areas' in truth) || !('areas' in found)) return found
  const rest = [...found.areas]
  const beside = truth.areas.map(({ floor }) => {
    const at = rest.findIndex((one) => one.floor === floor)
    return at === -1 ? null : (rest.splice(at, 1)[0] ?? null)
  })
  return { ...found, areas: [...beside, ...rest] }
}

/** The values of a lost entry. */
function valuesOf({ purpose, receipt, cause, content }: EntryTruth) {
  const { notes_contain: _notes, ...fields } = content
  return { purpose, receipt, cause, fields }
}

function compareSection(
  tally: Tally,
  name: 'section_a' | 'section_b',
  truth: readonly EntryTruth[] | undefined,
  found: readonly RegistryEntry[],
): void {
  if (truth === undefined) return
  const ranks = truth.map((entry) => entry.rank_number)
  const read = found.map((entry) => entry.rank_number)
  compare(tally, { group: 'ranks', path: name }, ranks, read)
  for (const [entry, match] of paired(truth, found)) {
    const path = `${name}[${entry.rank_number}]`
    if (match !== undefined) compareEntry(tally, path, entry, match)
    else compare(tally, { group: 'lost entries', path }, valuesOf(entry), {})
  }
}

/** Compares a document with its truth, value by value. */
export function compareDocument(
  tally: Tally,
  truth: CertificateTruth,
  found: RegistryDocument,
): void {
  const {
    profile,
    title,
    trade_lists,
    major_summary,
    section_a,
    section_b,
    warnings,
    page_count,
    ...head
  } = truth
  compare(tally, { group: 'head', path: 'head' }, { profile, ...head }, found)
  compare(tally, { group: 'head', path: 'source' }, { page_count }, found.source)
  const read = withFloorsBeside(title, found.title)
  compare(tally, { group: 'title', path: 'title' }, title, read)
  compareSection(tally, 'section_a', section_a, found.section_a)
  compareSection(tally, 'section_b', section_b, found.section_b)
  compare(tally, { group: 'trade lists', path: 'trade_lists' }, trade_lists, found.trade_lists)
  compare(tally, { group: 'summary', path: 'major_summary' }, major_summary, found.major_summary)
  const codes = found.diagnostics.warnings.map((warning) => warning.code)
  for (const code of warnings) {
    const seen = codes.includes(code) ? code : null
    compare(tally, { group: 'warnings', path: 'warnings' }, code, seen)
  }
}
