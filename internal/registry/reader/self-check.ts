/**
 * Looks for signs that a part of the document was not read, or was read as another part [documents 13.6]. With a
 * layout that the reader does not know, fields get lost without any field being wrong. These checks report that.
 */

import { inHangul } from '../fields/hanja.ts'
import { checkLists } from '../lists/check-lists.ts'
import { type Finding, finding, type RegistryDocument } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'
import type { Table } from '../tables/read-tables.ts'
import { NO_NUMBER, type Row } from '../tables/row.ts'
import { LIST_KINDS } from '../tables/table-kind.ts'
import { checkAreas } from '../title/check-areas.ts'
import { checkLandRights } from '../title/check-land-right.ts'
import { checkEntries } from './check-entries.ts'
import type { TextLine } from './text-line.ts'

/** Whether a row of a list is an item, not its number or amount. */
const isItem = (row: Row): boolean => /^\d/.test(row.number)

const checkTables = (tables: readonly Table[]): readonly Finding[] =>
  tables.flatMap(({ kind, page, rows, isStatedEmpty }) => {
    if (kind === 'holders') return []
    const hasRows = LIST_KINDS.has(kind) ? rows.some(isItem) : rows.length > 0
    if (!hasRows && !isStatedEmpty) {
      return [
        finding('EMPTY_TABLE', `The table ${kind} on page ${page} has a heading and no rows.`),
      ]
    }
    if (hasRows && isStatedEmpty) {
      const message = `The table ${kind} on page ${page} has rows, and is stated to have none.`
      return [finding('EMPTY_TABLE', message)]
    }
    return rows.some((row) => !row.columns.isMeasured) && !LIST_KINDS.has(kind)
      ? [finding('COLUMNS_ASSUMED', `The column heads of ${kind} on page ${page} were not found.`)]
      : []
  })

const partsOf = (number: string): readonly number[] => number.split('-').map(Number)

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether an entry was restored. A restored entry is printed again after later ones. */
const isRestored = (entries: readonly RegistryEntry[]): boolean =>
  entries.some((entry) => inHangul(entry.purpose.normalized).includes('회복'))

/** A hostile file could lack millions of ranks. */
const MOST_NAMED = 20

/** The first numbers that are missing among the ranks: `2` if there are 1 and 3, `1-1` if there is 1-2. */
const missingRanks = (entries: readonly RegistryEntry[]): readonly string[] => {
  const known = new Set(entries.map((entry) => entry.rank_number))
  const last = new Map<string, number>()
  for (const rank of known) {
    const at = rank.lastIndexOf('-') + 1
    const before = rank.slice(0, at)
    last.set(before, Math.max(last.get(before) ?? 0, Number(rank.slice(at))))
  }
  const missing: string[] = []
  for (const [before, count] of last) {
    for (let at = 1; at <= count && missing.length < MOST_NAMED; at += 1) {
      if (!known.has(`${before}${at}`)) missing.push(`${before}${at}`)
    }
  }
  return missing
}

/** @param isWhole whether the copy shows every rank, including cancelled entries */
const checkRanks = (entries: readonly RegistryEntry[], isWhole: boolean): readonly Finding[] => {
  const found: Finding[] = []
  const numbered = entries.filter(({ rank_number: rank }) => rank !== NO_NUMBER)
  const ranks = numbered.map((entry) => partsOf(entry.rank_number))
  const isInOrder = !isRestored(entries)
  for (const [at, entry] of numbered.entries()) {
    const [rank, before] = [ranks[at] ?? [], ranks[at - 1] ?? [0]]
    if (compare(rank, before) > 0 || !isInOrder) continue
    const message = `Rank ${entry.rank_number} follows rank ${before.join('-')}.`
    found.push(finding('RANK_ORDER', message, entry.entry_id))
  }
  const missing = missingRanks(numbered)
  if (isWhole && missing.length > 0) {
    found.push(finding('RANK_MISSING', `Ranks ${missing.join(', ')} were not found.`))
  }
  return found
}

/** Roles that occur only in section B. */
const ROLES_OF_B: readonly string[] = ['근저당권자', '전세권자', '임차인', '지상권자']

const checkRoles = (entries: readonly RegistryEntry[]): readonly Finding[] =>
  entries
    .filter(({ content }) => content.persons.some(({ role }) => ROLES_OF_B.includes(role)))
    .map((entry) => {
      const message = `Section A has an entry of section B: rank ${entry.rank_number}.`
      return finding('ROLE_OF_OTHER_SECTION', message, entry.entry_id)
    })

type Checked = Readonly<{
  tables: readonly Table[]
  strayHeads: readonly TextLine[]
  profile: RegistryDocument['profile']
  sectionA: readonly RegistryEntry[]
  sectionB: readonly RegistryEntry[]
}>

export const selfCheck = (checked: Checked): readonly Finding[] => {
  const { tables, strayHeads, profile, sectionA, sectionB } = checked
  const isWhole = profile.certificate_type === 'full' && profile.include_cancellations
  return [
    ...checkTables(tables),
    ...strayHeads.map(({ page }) =>
      finding('HEADING_MISSING', `Column heads on page ${page} have no heading of their table.`),
    ),
    ...checkAreas(tables),
    ...checkLandRights(tables),
    ...checkLists(tables, { isWhole, entries: [...sectionA, ...sectionB] }),
    ...checkRanks(sectionA, isWhole),
    ...checkRanks(sectionB, isWhole),
    ...checkRoles(sectionA),
    ...checkEntries(sectionA),
    ...checkEntries(sectionB),
  ]
}
