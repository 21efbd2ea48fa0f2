/** Compares the parts of a document with each other and reports contradictions. */
import { ownershipEntries } from '../entries/ownership.ts'
import { squeeze } from '../fields/normal-text.ts'
import { readShare } from '../fields/share.ts'
import {
  type Finding,
  finding,
  type MajorSummary,
  type RegistryDocument,
  type SummaryOwner,
} from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import { NO_NUMBER } from '../tables/row.ts'
import { isLandCategory } from '../title/land-category.ts'
import { addToOne } from './check-entries.ts'
import { indexRights, indexTexts } from './rank-texts.ts'

type Checked = Pick<
  RegistryDocument,
  'profile' | 'title' | 'section_a' | 'section_b' | 'major_summary'
>

const checkRights = (summary: MajorSummary, document: Checked): readonly Finding[] => {
  const findRight = indexRights([...document.section_a, ...document.section_b])
  return summary.rights.flatMap((right) => {
    const same = findRight(right.rank_number, right.receipt_number)
    if (same === null) {
      const said = `The summary has rank ${right.rank_number}, which no section has.`
      return [finding('SUMMARY_MISMATCH', said, right.entry_id)]
    }
    if (!right.is_cancelled && same.areAllCancelled) {
      const said = `The summary has rank ${right.rank_number}, which is cancelled.`
      return [finding('SUMMARY_MISMATCH', said, right.entry_id)]
    }
    const amount = right.max_claim_amount ?? right.bond_amount ?? right.deposit_amount
    if (amount === null || same.isChanged || same.amounts.has(amount)) return []
    const said = `The summary gives rank ${right.rank_number} another amount than its entry.`
    return [finding('SUMMARY_MISMATCH', said, right.entry_id)]
  })
}

/** Names of creditors that neither the entries of their rank nor the changes of it have. */
const checkNames = ({ rights }: MajorSummary, { section_a: a, section_b: b }: Checked) => {
  const hasName = indexTexts([...a, ...b])
  return rights.flatMap(({ rank_number: rank, creditor, entry_id: id }) => {
    const [main = ''] = rank.split('-')
    const names = (creditor ?? '').split(', ')
    if (names.every((name) => hasName(main, name) !== false)) return []
    const said = `The entries of rank ${rank} do not name the creditor ${creditor} of the summary.`
    return [finding('SUMMARY_MISMATCH', said, id)]
  })
}

/** Rights in force that the summary must show. Notes, trusts and sub-entries need not be in it. */
const SUMMARISED: ReadonlySet<string> = new Set([
  '근저당권',
  '전세권',
  '임차권',
  '지상권',
  '압류',
  '가압류',
  '경매',
  '가처분',
])

/** Entries in force that the summary lacks. One of the two was not read, or the entry was cancelled. */
const checkMissing = (summary: MajorSummary, document: Checked): readonly Finding[] => {
  const shown = new Set(summary.rights.map((right) => right.rank_number))
  return [...document.section_a, ...document.section_b]
    .filter(
      ({ purpose, status, rank_number: rank }) =>
        SUMMARISED.has(purpose.right_type) &&
        purpose.action_type === '설정' &&
        !status.is_cancelled &&
        rank !== NO_NUMBER &&
        !rank.includes('-') &&
        !shown.has(rank),
    )
    .map(({ rank_number: rank, entry_id: id }) =>
      finding('SUMMARY_MISMATCH', `The summary lacks rank ${rank}, which is in force.`, id),
    )
}

const ranksOf = ({ rank_number: rank }: SummaryOwner): readonly string[] => rank.split(', ')

/** Finds owners of whose ranks an entry is not in force, or whose name neither these entries nor their changes have. */
const strangeOwners = (
  owners: readonly SummaryOwner[],
  entries: readonly RegistryEntry[],
): readonly SummaryOwner[] => {
  const live = new Set(entries.filter((e) => !e.status.is_cancelled).map((e) => e.rank_number))
  const hasName = indexTexts(entries)
  return owners.filter((owner) => {
    const ranks = [...new Set(ranksOf(owner))]
    const isNamed = ranks.some((rank) => hasName(rank, owner.name) === true)
    return !(isNamed && ranks.every((rank) => live.has(rank)))
  })
}

/** The last entry that gives ownership, if no owner of the summary owns by it. Who acquired last still has a share. */
const checkLastOwner = (entries: readonly RegistryEntry[], ranks: ReadonlySet<string>) => {
  const last = ownershipEntries(entries).at(-1)
  if (last === undefined || last.rank_number === NO_NUMBER || ranks.has(last.rank_number)) return []
  const said = `The summary has no owner by rank ${last.rank_number}, which is in force.`
  return [finding('SUMMARY_MISMATCH', said, last.entry_id)]
}

/** Owners of the summary whose shares are not the whole, or who do not own by the entries of section A. */
const checkOwners = ({ owners }: MajorSummary, entries: readonly RegistryEntry[]) => {
  const shares = owners.map(({ final_share: share }) => readShare(share ?? ''))
  const known = shares.filter((share) => share !== null)
  const isWhole = known.length < owners.length || known.length === 0 || addToOne(known)
  const incomplete = finding('SHARES_INCOMPLETE', 'The final shares are not the whole.')
  const strange = strangeOwners(owners, entries)
  const lacking = owners.filter((owner) => owner.final_share === null || owner.rank_number === '')
  const isCompared = entries.length > 0 && owners.length > 0
  return [
    ...(isWhole ? [] : [incomplete]),
    ...lacking.map(({ name, entry_id: id }) =>
      finding('FIELD_MISSING', `The owner ${name} has no final share or no rank.`, id),
    ),
    ...(isCompared ? checkLastOwner(entries, new Set(owners.flatMap(ranksOf))) : []),
    ...(isCompared ? strange : []).map(({ name, entry_id: id }) =>
      finding('SUMMARY_MISMATCH', `Section A lacks the name or rank of the owner ${name}.`, id),
    ),
  ]
}

/** A mortgage always has a creditor. If it is missing, the column of facts was split at the wrong place. */
const checkCreditors = ({ rights }: MajorSummary): readonly Finding[] => {
  // after a transfer, its row may name the creditor instead
  const transferred = new Set(
    rights
      .filter(({ creditor, registration_purpose: purpose }) => {
        return creditor !== null && /이전$/.test(squeeze(purpose))
      })
      .map(({ rank_number: rank }) => rank.split('-')[0]),
  )
  return rights
    .filter(({ creditor, registration_purpose: purpose, rank_number: rank }) => {
      const isMortgage = /^근?저당권설정$/.test(squeeze(purpose))
      return creditor === null && isMortgage && !transferred.has(rank)
    })
    .map(({ rank_number: rank, entry_id: id }) =>
      finding('FIELD_MISSING', `Rank ${rank} of the summary has no creditor.`, id),
    )
}

/** Rows of the title that were split at the wrong places give two categories as one. */
const checkLandTypes = (title: RegistryDocument['title']): readonly Finding[] => {
  const rows =
    title.property_type === 'land'
      ? title.land_entries.filter((row) => row.land_type === title.land_type)
      : title.property_type === 'aggregate_building'
        ? title.land_right_entries
        : []
  return rows.flatMap(({ land_type: type, is_cancelled: isCancelled, entry_id: id }) =>
    isCancelled || type === null || isLandCategory(type)
      ? []
      : [finding('LAND_TYPE_UNKNOWN', `"${type}" is not a land category.`, id)],
  )
}

const checkTitle = (title: RegistryDocument['title']): readonly Finding[] => {
  const found: Finding[] = []
  if (title.address === null) found.push(finding('MISSING_ADDRESS', 'The title names no address.'))
  found.push(...checkLandTypes(title))
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
    ...(summary === null
      ? []
      : [
          ...checkRights(summary, document),
          // a copy of the present entries leaves out creditors that transfers replaced
          ...(document.profile.include_cancellations ? checkNames(summary, document) : []),
          ...checkOwners(summary, document.section_a),
          ...(summary.rights.length === 0 ? [] : checkMissing(summary, document)),
          ...checkCreditors(summary),
        ]),
  ]
}
