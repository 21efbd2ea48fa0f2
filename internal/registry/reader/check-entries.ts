/** Checks that an entry has the fields that its kind always has, and that its shares are whole [documents 13.6]. */
import { inHangul } from '../fields/hanja.ts'
import { type Finding, finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'

const OWNED = /^소유권(보존|이전)$/
const SECURED = /^근저당권설정$/
/** Rights that a person always holds. An easement (지역권) belongs to a land. */
const HELD: ReadonlySet<string> = new Set([
  '근저당권',
  '전세권',
  '임차권',
  '지상권',
  '가등기',
  '압류',
  '가압류',
  '경매',
  '가처분',
])

const wordingOf = ({ purpose }: RegistryEntry): string => inHangul(purpose.normalized)

const holderOf = (entry: RegistryEntry): string | null => {
  const { purpose } = entry
  if (OWNED.test(wordingOf(entry))) return 'owner'
  if (SECURED.test(wordingOf(entry))) return 'creditor'
  const isNew = purpose.action_type === '설정' && purpose.sub_purposes.length === 0
  return isNew && HELD.has(purpose.right_type) ? 'holder' : null
}

const lacksAmount = (entry: RegistryEntry): boolean => {
  const { content } = entry
  const isDue = SECURED.test(wordingOf(entry)) || wordingOf(entry) === '전세권설정'
  return isDue && content.amounts.length === 0 && !/금/.test(content.notes_raw ?? '')
}

/** Whether the office entered it without an application, which leaves receipt and cause empty and a date in the rights column. */
const isExOfficio = ({ purpose, cause, content }: RegistryEntry): boolean =>
  content.annotation_date !== null && (purpose.action_type === '말소' || cause.text === '')

/** Checks the fields that an entry of its kind always has. */
const checkFields = (entry: RegistryEntry): readonly Finding[] => {
  const { purpose, content, receipt, entry_id: id, rank_number: rank } = entry
  const lacks = (what: string) => [
    finding('FIELD_MISSING', `Rank ${rank} (${purpose.normalized}) has no ${what}.`, id),
  ]
  const isMain =
    !rank.includes('-') &&
    purpose.sub_purposes.length === 0 &&
    !wordingOf(entry).includes('금지사항') &&
    !isExOfficio(entry)
  const holder = content.persons.length === 0 ? holderOf(entry) : null
  return [
    ...(isMain && purpose.normalized !== '' && receipt.date === '' ? lacks('receipt') : []),
    ...(holder === null ? [] : lacks(holder)),
    ...(lacksAmount(entry) ? lacks('amount') : []),
  ]
}

type Fraction = Readonly<{ numerator: bigint; denominator: bigint }>

const add = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
})

const NONE: Fraction = { numerator: 0n, denominator: 1n }
/** Shares of a hostile file could make the sum as long as the file. */
const MOST_SHARES = 200

/** Whether the shares of new owners are the whole. */
const areSharesWhole = ({ persons, shares }: RegistryEntry['content']): boolean =>
  shares.length === 0 || (shares.length >= persons.length && addToOne(shares))

type PrintedShare = Readonly<{ numerator: number | null; denominator: number | null }>

/** Whether shares add up to one. True if one of them is not of whole numbers, or if there are too many. */
export const addToOne = (shares: readonly PrintedShare[]): boolean => {
  const known = shares.flatMap(({ numerator, denominator }) =>
    numerator === null || denominator === null ? [] : [{ numerator, denominator }],
  )
  if (known.length < shares.length || known.length > MOST_SHARES) return true
  const sum = known
    .map((share) => ({
      numerator: BigInt(share.numerator),
      denominator: BigInt(share.denominator),
    }))
    .reduce(add, NONE)
  return sum.numerator === sum.denominator
}

const checkShares = (entry: RegistryEntry) => {
  const { content, entry_id: id, rank_number: rank } = entry
  return OWNED.test(wordingOf(entry)) && !areSharesWhole(content)
    ? [finding('SHARES_INCOMPLETE', `The shares of rank ${rank} are not the whole.`, id)]
    : []
}

/** Whether a date such as `2016년 02월 30일` is none. */
const isNoDay = (date: string): boolean => {
  const [year = 0, month = 0, day = 0] = date.match(/\d+/g)?.map(Number) ?? []
  const at = new Date(Date.UTC(year, month - 1, day))
  return at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day || year < 1885 || year > 2200
}

/** Reports dates that no calendar has, and a cause that is later than the receipt: a digit was not read. */
const checkDates = ({ receipt, cause, entry_id: id, rank_number: rank }: RegistryEntry) => {
  const dates = [receipt.date, cause.date ?? ''].filter((date) => date !== '')
  const isLate = cause.date !== null && receipt.date !== '' && cause.date > receipt.date
  if (!isLate && !dates.some(isNoDay)) return []
  const message = `The dates of rank ${rank}, ${dates.join(' and ')}, are not possible.`
  return [finding('DATE_IMPLAUSIBLE', message, id)]
}

/** Reports entries of a section that lack a field of their kind, or a part of the shares. */
export const checkEntries = (entries: readonly RegistryEntry[]): readonly Finding[] => {
  const isRenaming = ({ purpose }: RegistryEntry) => purpose.right_type === '등기명의인표시변경'
  const renaming = new Set(entries.filter(isRenaming).map((entry) => entry.rank_number))
  return [
    ...entries.flatMap(checkDates),
    ...entries
      // parts that later entries replaced are left out of an entry, but holders that they rename stay
      .filter(({ status }) => status.modifications.every(({ by_rank: by }) => renaming.has(by)))
      .flatMap((entry) => [...checkFields(entry), ...checkShares(entry)]),
  ]
}
