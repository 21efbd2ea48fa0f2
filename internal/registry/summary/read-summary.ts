/** Reads the summary pages (주요 등기사항 요약) at the end of a certificate. */
import { findDate } from '../fields/date.ts'
import { readMoney } from '../fields/money.ts'
import { orNull, squeeze } from '../fields/normal-text.ts'
import { findReceiptNumber, findRegistrationNumber, isRank } from '../fields/number.ts'
import type { SummaryPage } from '../reader/read-pages.ts'
import type { MajorSummary, SummaryOwner, SummaryRight } from '../schema/document.ts'
import type { PropertyType } from '../schema/title.ts'
import { type CellLine, joinLines, lineText, struckShareOf } from '../tables/cell-text.ts'
import { cellOf, type Row, rightBorder, textIn } from '../tables/row.ts'
import { readHolderRows, readSummaryRows } from './summary-table.ts'

const ROLE = /\s*\([가-힣\s]*자\)\s*$/

const idOf = (prefix: string, row: Row): string =>
  `${prefix}:p${row.parts[0]?.page ?? 1}:r${row.parts[0]?.row ?? 1}`

const readOwner = (row: Row): SummaryOwner => {
  const name = joinLines(cellOf(row, 0), rightBorder(row, 0)).replace(ROLE, '')
  return {
    entry_id: idOf('summary_owner', row),
    name: name.trim(),
    resident_number: findRegistrationNumber(textIn(row, 1)) ?? orNull(textIn(row, 1)),
    final_share: orNull(textIn(row, 2)),
    address: orNull(textIn(row, 3)),
    rank_number: textIn(row, 4).replace(/\s*,\s*/g, ', '),
  }
}

type Facts = Pick<
  SummaryRight,
  'creditor' | 'max_claim_amount' | 'bond_amount' | 'deposit_amount' | 'purpose'
>

const LABELS: readonly (readonly [RegExp, keyof Facts])[] = [
  [/^채권최고액/, 'max_claim_amount'],
  [/^(채권액|청구금액)/, 'bond_amount'],
  [/^(전전세금|전세금|임차보증금|보증금)/, 'deposit_amount'],
  [
    /^(근저당권자|저당권자|채권자|전세권자|권리자|임차권자|임차인|지상권자|지역권자|근질권자|질권자|가등기권자|환매권자)(?=\s|$)/,
    'creditor',
  ],
  [/^(목\s*적|피보전권리)/, 'purpose'],
  [/^(처분청|관리기관|범\s*위|존속기간|채무자|지\s*료|차\s*임)/, 'purpose'],
]
/** Labels of summary facts without their own field [documents 12.2]. */
const IGNORED = /^(처분청|관리기관|범\s*위|존속기간|채무자|지\s*료|차\s*임)/

/** The lines of each fact: a label, its value and what continues below it. */
const groupFacts = (
  lines: readonly CellLine[],
): { key: keyof Facts; label: RegExp; lines: CellLine[] }[] => {
  const groups: { key: keyof Facts; label: RegExp; lines: CellLine[] }[] = []
  for (const line of lines) {
    const text = lineText(line)
    const label = LABELS.find(([pattern]) => pattern.test(text))
    if (label !== undefined) groups.push({ key: label[1], label: label[0], lines: [line] })
    else groups.at(-1)?.lines.push(line)
  }
  return groups
}

type FactGroup = ReturnType<typeof groupFacts>[number]

const isStruck = ({ lines }: FactGroup): boolean => struckShareOf(lines) >= 0.5

const isNew = (other: FactGroup, { key }: FactGroup): boolean =>
  other.key === key && !isStruck(other)

const readFacts = (row: Row): Facts => {
  const facts: Facts = {
    creditor: null,
    max_claim_amount: null,
    bond_amount: null,
    deposit_amount: null,
    purpose: null,
  }
  const groups = groupFacts(cellOf(row, 3))
  for (const group of groups) {
    // what is struck through counts only if nothing replaced it in this row
    const isReplaced = isStruck(group) && groups.some((other) => isNew(other, group))
    if (isReplaced) continue
    const text = joinLines(group.lines, rightBorder(row, 3))
    const value = text.replace(group.label, '').trim()
    if (IGNORED.test(text)) continue
    if (group.key === 'creditor')
      facts.creditor = orNull([facts.creditor ?? [], value].flat().join(', '))
    else if (group.key === 'purpose') facts.purpose ??= orNull(value)
    else {
      const money = readMoney(value)
      if (money?.kind === 'won') facts[group.key] ??= money.value
    }
  }
  return facts
}

const readRight = (row: Row): SummaryRight => {
  const receipt = cellOf(row, 2).map(lineText).join(' ')
  const rank = cellOf(row, 0).filter((line) => isRank(squeeze(lineText(line))))
  const owner = joinLines(cellOf(row, 4), rightBorder(row, 4)).trim()
  return {
    entry_id: idOf('summary_right', row),
    rank_number: row.number,
    registration_purpose: joinLines(cellOf(row, 1), rightBorder(row, 1)),
    receipt_date: findDate(squeeze(receipt))?.date ?? '',
    receipt_number: findReceiptNumber(squeeze(receipt)),
    target_owner: orNull(owner),
    ...readFacts(row),
    is_cancelled: struckShareOf(rank) >= 0.5,
  }
}

/** Reads 주요 등기사항 요약, the reference pages at the end [documents 12.1]. Null if there are none. */
export const readSummary = (
  pages: readonly SummaryPage[],
  property: Readonly<{ type: PropertyType; address: string }>,
): MajorSummary | null => {
  if (pages.length === 0) return null
  const rows = readSummaryRows(pages)
  return {
    property_type: property.type,
    address: property.address,
    owners: rows.filter((row) => row.table === 'owners').map(readOwner),
    rights: rows.filter((row) => row.table !== 'owners').map(readRight),
  }
}

/** Reads the owners of a certificate of the current owners (현재 소유현황) [documents 12.4]. Null if it has none. */
export const readHolders = (
  pages: readonly SummaryPage[],
  property: Readonly<{ type: PropertyType; address: string }>,
): MajorSummary | null => {
  const owners = readHolderRows(pages).map(readOwner)
  if (owners.length === 0) return null
  return { property_type: property.type, address: property.address, owners, rights: [] }
}
