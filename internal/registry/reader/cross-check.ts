/** Compares the parts of a document with each other and reports contradictions. */
import {
  type Finding,
  finding,
  type MajorSummary,
  type RegistryDocument,
} from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'

type Checked = Pick<RegistryDocument, 'title' | 'section_a' | 'section_b' | 'major_summary'>

/** The amounts that the summary may show for an entry: later sub-entries may have changed it, so there may be several. */
const amountsOf = (entry: RegistryEntry): ReadonlySet<number> =>
  new Set(entry.content.amounts.map((amount) => amount.value))

const checkRights = (summary: MajorSummary, document: Checked): readonly Finding[] => {
  const all = [...document.section_a, ...document.section_b]
  return summary.rights.flatMap((right) => {
    const same = all.filter(
      (entry) =>
        entry.rank_number === right.rank_number &&
        (right.receipt_number === '' || entry.receipt.number === right.receipt_number),
    )
    if (same.length === 0) {
      const said = `The summary has rank ${right.rank_number}, which no section has.`
      return [finding('SUMMARY_MISMATCH', said, right.entry_id)]
    }
    const amount = right.max_claim_amount ?? right.bond_amount ?? right.deposit_amount
    const isChanged = same.some((entry) => entry.status.modifications.length > 0)
    if (amount === null || isChanged) return []
    if (same.some((entry) => amountsOf(entry).has(amount))) return []
    const said = `The summary gives rank ${right.rank_number} another amount than its entry.`
    return [finding('SUMMARY_MISMATCH', said, right.entry_id)]
  })
}

/** A mortgage always has a creditor. If it is missing, the column of facts was split at the wrong place. */
const checkCreditors = ({ rights }: MajorSummary): readonly Finding[] =>
  rights
    .filter(({ creditor, registration_purpose: purpose }) => {
      return creditor === null && /^근?저당권설정$/.test(purpose.replaceAll(' ', ''))
    })
    .map(({ rank_number: rank, entry_id: id }) =>
      finding('FIELD_MISSING', `Rank ${rank} of the summary has no creditor.`, id),
    )

const checkTitle = (title: RegistryDocument['title']): readonly Finding[] => {
  const found: Finding[] = []
  if (title.address === null) found.push(finding('MISSING_ADDRESS', 'The title names no address.'))
  if (title.property_type !== 'aggregate_building') return found
  const largest = Math.max(0, ...title.areas.map((floor) => floor.area))
  if (title.exclusive_area !== null && largest > 0 && title.exclusive_area > largest * 1.01) {
    const said = 'The exclusive part is larger than any floor of the building.'
    found.push(finding('AREA_IMPLAUSIBLE', said, title.exclusive_part_entries[0]?.entry_id ?? null))
  }
  return found
}

/** Finds contradictions between parts of a document. They are reported, never corrected. */
export const crossCheck = (document: Checked): readonly Finding[] => {
  const { major_summary: summary } = document
  return [
    ...checkTitle(document.title),
    ...(summary === null ? [] : [...checkRights(summary, document), ...checkCreditors(summary)]),
  ]
}
