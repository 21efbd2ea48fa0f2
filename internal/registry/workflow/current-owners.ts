/**
 * Determines who owns the property after the last entry of section A. A transfer does not strike the entry before it,
 * so the entries are processed in order: a new owner takes the whole, the share of one owner, or a part.
 */

import { findNewName } from '../entries/holder-changes.ts'
import { OWNERSHIP, ownershipEntries } from '../entries/ownership.ts'
import { findDate } from '../fields/date.ts'
import { squeeze } from '../fields/normal-text.ts'
import { findRegistrationNumber } from '../fields/number.ts'
import { readShare } from '../fields/share.ts'
import type { RegistryDocument } from '../schema/document.ts'
import type { PersonInfo, RegistryEntry } from '../schema/entry.ts'

const OWNER_ROLES: ReadonlySet<string> = new Set(['소유자', '공유자', '수탁자'])
/** The cell of receipts in the text of an entry, whose rank is the first. */
const RECEIPTS = 2

/**
 * The date of the receipt by which the last owner acquired the property. A provisional registration has that of the transfer
 * that followed it as the last date in its cell, because the receipt of the entry is its own. Null without a date.
 */
export const acquisitionDate = (sectionA: RegistryDocument['section_a']): string | null => {
  const last = ownershipEntries(sectionA).at(-1)
  if (last === undefined) return null
  const isDirect = OWNERSHIP.has(last.purpose.right_type)
  const cell = squeeze(last.raw_text.split(' | ')[RECEIPTS] ?? '')
  let rest = isDirect ? '' : cell
  let date: string | null = null
  for (let day = findDate(rest); day !== null; day = findDate(rest)) {
    date = day.date
    rest = rest.slice(day.end)
  }
  return date ?? last.receipt.date
}

/** What a person acquired by one entry. A person may acquire shares by several, and transfer each of them. */
type Holding = Readonly<{
  /** The main rank of the entry. */
  rank: string
  name: string
  number: string | null
  /** Part of the whole, or null if it is not known. */
  part: number | null
}>

const partOf = ({ role, share }: PersonInfo): number | null => {
  if (share === null) return role === '공유자' ? null : 1
  const { numerator = null, denominator = null } = readShare(share) ?? {}
  return numerator === null || denominator === null ? null : numerator / denominator
}

const mainRank = (rank: string): string => rank.split('-', 1)[0] ?? rank

const holdingsOf = ({ content, rank_number: rank }: RegistryEntry): readonly Holding[] =>
  content.persons
    .filter(({ role }) => OWNER_ROLES.has(role))
    .map((person) => ({
      rank: mainRank(rank),
      name: person.name,
      number: person.resident_number,
      part: partOf(person),
    }))

const isPartial = ({ purpose }: RegistryEntry): boolean =>
  purpose.action_type === '일부이전' || /소유권일부/.test(purpose.normalized)

/** A name in a purpose. Of owners with equal names, the purpose adds the number: `2번한누리(700101-*******)지분전부이전`. */
const sellerOf = (printed: string) => ({
  name: squeeze(printed.replace(/\([^()]*\d[^()]*\)/, '')),
  number: findRegistrationNumber(printed),
})

/** The holdings that a transfer of the shares of some owners is about: those of the named ranks, if there are any. */
const soldOf = (known: readonly Holding[], { purpose }: RegistryEntry): readonly Holding[] => {
  const sellers = (purpose.target_owner ?? '').split(',').map(sellerOf)
  const ofSellers = known.filter((holding) =>
    sellers.some(
      ({ name, number }) =>
        name === squeeze(holding.name) && (number === null || number === holding.number),
    ),
  )
  const ranks = new Set((purpose.target_rank ?? '').split(','))
  const ofRanks = ofSellers.filter(({ rank }) => ranks.has(rank))
  return ofRanks.length > 0 ? ofRanks : ofSellers
}

const sumOf = (holdings: readonly Holding[]): number =>
  holdings.reduce((sum, { part }) => sum + (part ?? Number.NaN), 0)

/** Shares are fractions, and their sums are not exact. */
const LEAST = 1e-9

/**
 * The holdings that a transfer ends. Without 전부, `2번한누리지분4분의1이전` may be the whole share or a part of it, and one of two
 * owners with equal names may be meant: then what the new owners get decides.
 */
const endedBy = (
  known: readonly Holding[],
  entry: RegistryEntry,
  gained: readonly Holding[],
): readonly Holding[] => {
  const sold = soldOf(known, entry)
  const isLess = sumOf(gained) < sumOf(sold) - LEAST
  if (!isLess) return sold
  if (!/전부/.test(entry.purpose.normalized)) return []
  const one = sold.find(({ part }) => Math.abs((part ?? 0) - sumOf(gained)) < LEAST)
  const isNamesake = new Set(sold.map(({ number }) => number)).size > 1
  return isNamesake && one !== undefined ? [one] : sold
}

/** A holding of which a part was transferred has the rest. */
const withRest = (
  known: readonly Holding[],
  sold: readonly Holding[],
  gained: readonly Holding[],
): readonly Holding[] => {
  const [one] = sold
  if (one === undefined || one.part === null || sold.length > 1) return known
  const rest = { ...one, part: one.part - sumOf(gained) }
  return known.map((holding) => (holding === one ? rest : holding))
}

const afterEntry = (known: readonly Holding[], entry: RegistryEntry): readonly Holding[] => {
  const gained = holdingsOf(entry)
  const isWhole = entry.purpose.target_owner === null
  if (isWhole && !isPartial(entry)) return gained
  const ended = new Set(isPartial(entry) ? [] : endedBy(known, entry, gained))
  if (ended.size > 0) return [...known.filter((holding) => !ended.has(holding)), ...gained]
  return [...withRest(known, isWhole ? known : soldOf(known, entry), gained), ...gained]
}

const isRenaming = ({ purpose, status }: RegistryEntry): boolean =>
  purpose.right_type === '등기명의인표시변경' && !status.is_cancelled

/** The ranks of the owners that an entry renames. */
const renamedRanks = ({ purpose, rank_number: rank }: RegistryEntry): ReadonlySet<string> =>
  new Set((purpose.target_rank ?? mainRank(rank)).split(','))

/** The name after further changes of a holder. */
const lastName = (name: string, ranks: ReadonlySet<string>, later: readonly RegistryEntry[]) =>
  later
    .filter(
      (entry) => isRenaming(entry) && [...renamedRanks(entry)].some((rank) => ranks.has(rank)),
    )
    .map(({ content }) => findNewName(content.notes_raw ?? ''))
    .reduce((last, next) => (next?.holder === squeeze(last) ? next.after : last), name)

/** The entry has the new name already, unless it was not certain who has it, or the entry lacks the holder. */
const renamed = (
  known: readonly Holding[],
  entry: RegistryEntry,
  later: readonly RegistryEntry[],
): readonly Holding[] => {
  const found = findNewName(entry.content.notes_raw ?? '')
  if (found === undefined) return known
  const before = found.holder
  const ranks = renamedRanks(entry)
  const after = lastName(found.after, ranks, later)
  const ofRanks = known.filter(({ rank }) => ranks.has(rank))
  if (ofRanks.some(({ name }) => name === after)) return known
  const names = new Set(ofRanks.map(({ name }) => squeeze(name)))
  // without the name before, the change is certain only of a single owner
  const isOld = ({ name, rank }: Holding): boolean =>
    before === null ? names.size === 1 && ranks.has(rank) : squeeze(name) === before
  const old = known.filter(isOld)
  if (before === null || old.length > 0) {
    return known.map((holding) => (isOld(holding) ? { ...holding, name: after } : holding))
  }
  const [rank = ''] = ranks
  return [...known, { rank, name: after, number: null, part: null }]
}

/** Whether an entry corrects the owners of another, whose own owners are then struck and not its content. */
const isCorrection = ({ purpose, status }: RegistryEntry): boolean =>
  OWNERSHIP.has(purpose.right_type) &&
  /^(경정|변경)$/.test(purpose.action_type) &&
  !status.is_cancelled

/** The owners that a correction states again have the corrected share. If it states the whole, the entry has no others. */
const corrected = (known: readonly Holding[], entry: RegistryEntry): readonly Holding[] => {
  const stated = holdingsOf(entry)
  const isWhole = Math.abs(sumOf(stated) - 1) < LEAST
  const isAgain = (holding: Holding): boolean =>
    stated.some(
      ({ rank, name }) =>
        rank === holding.rank && (isWhole || squeeze(name) === squeeze(holding.name)),
    )
  return [...known.filter((holding) => !isAgain(holding)), ...stated]
}

/** Names of the owners, without duplicates. Taken from the summary if there is one, because the registry wrote it. */
export const currentOwners = ({
  section_a: sectionA,
  major_summary: summary,
}: Pick<RegistryDocument, 'section_a' | 'major_summary'>): readonly string[] => {
  const stated = summary?.owners.map(({ name }) => name) ?? []
  if (stated.length > 0) return [...new Set(stated)]
  const ownership = new Set(ownershipEntries(sectionA))
  const owners = sectionA.reduce<readonly Holding[]>((known, entry, at) => {
    if (isCorrection(entry)) return corrected(known, entry)
    if (ownership.has(entry)) return afterEntry(known, entry)
    return isRenaming(entry) ? renamed(known, entry, sectionA.slice(at + 1)) : known
  }, [])
  return [...new Set(owners.map(({ name }) => name))]
}
