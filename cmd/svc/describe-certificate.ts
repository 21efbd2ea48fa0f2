/** Shows a registry certificate on the terminal: the property, its owners, and its encumbrances. */

import type { ParserResponse, RegistryDocument } from '#registry/schema/document.ts'
import type { RegistryEntry } from '#registry/schema/entry.ts'
import type { RegistryTitle } from '#registry/schema/title.ts'
import { type Columns, coloured, printLine, printTable } from './print.ts'

const KINDS: Readonly<Record<RegistryDocument['profile']['property_type'], string>> = {
  land: '토지 (land)',
  building: '건물 (building)',
  aggregate_building: '집합건물 (aggregate building)',
}

const MAX_CELL = 48

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_CELL ? `${line.slice(0, MAX_CELL - 1)}…` : line
}

const peopleOf = ({ content }: RegistryEntry): string =>
  content.persons
    .map(({ role, name, share }) => `${role} ${name}${share === null ? '' : ` (${share})`}`)
    .join(', ')

const amountsOf = ({ content }: RegistryEntry): string =>
  content.amounts.map(({ type, value }) => `${type} ${value.toLocaleString('en-US')}`).join(', ')

const stateOf = ({ status, provenance }: RegistryEntry): string => {
  if (status.is_cancelled) return `cancelled by ${status.cancelled_by_rank ?? 'another entry'}`
  return provenance.is_visual_cancelled ? 'struck' : ''
}

const purposeOf = ({ purpose }: RegistryEntry): string =>
  purpose.sub_purposes.length === 0
    ? purpose.normalized
    : purpose.sub_purposes.map(({ normalized }) => normalized).join(' + ')

/** Canceled entries are dimmed. */
const cell =
  (textOf: (entry: RegistryEntry) => string) =>
  (entry: RegistryEntry): string =>
    entry.status.is_cancelled ? coloured('dim', textOf(entry)) : textOf(entry)

const COLUMNS: Columns<RegistryEntry> = {
  rank: cell((entry) => entry.rank_number),
  purpose: cell((entry) => short(purposeOf(entry))),
  received: cell((entry) => entry.receipt.date),
  persons: cell((entry) => short(peopleOf(entry))),
  won: cell(amountsOf),
  state: cell(stateOf),
}

const printEntries = (name: string, entries: readonly RegistryEntry[]): void => {
  printLine('')
  printLine(entries.length === 0 ? `${name}: none` : coloured('bold', name))
  if (entries.length === 0) return
  printTable(COLUMNS, entries)
}

type Fact = readonly [name: string, value: string | null]

const inSquareMetres = (value: number | null): string | null =>
  value === null ? null : `${value}㎡`

const titleFacts = (title: RegistryTitle): readonly Fact[] => {
  if (title.property_type === 'land') {
    return [
      ['category', title.land_type],
      ['area', title.land_area],
    ]
  }
  const built = [title.structure, title.roof_type, title.building_type].filter(
    (part) => part !== null,
  )
  const common: readonly Fact[] = [
    ['road', title.road_address],
    ['built', built.length === 0 ? null : built.join(' ')],
    ['floors', title.floors === null ? null : String(title.floors)],
    ['floor area', inSquareMetres(title.total_floor_area)],
  ]
  if (title.property_type === 'building') return common
  return [
    ...common,
    ['exclusive', inSquareMetres(title.exclusive_area)],
    ['land right', title.land_right_ratio],
  ]
}

const factsOf = ({ data, confidence }: ParserResponse): readonly Fact[] => [
  ['kind', KINDS[data.profile.property_type]],
  ['number', data.unique_number],
  ['address', data.property_address],
  ...titleFacts(data.title),
  ['office', data.jurisdiction ?? '–'],
  ['printed', data.viewed_at ?? data.issued_at ?? '–'],
  ['pages', String(data.source.page_count)],
  ['confidence', `${confidence.overall} (${confidence.level})`],
]

export const describeCertificate = (response: ParserResponse): void => {
  const { data } = response
  for (const [name, value] of factsOf(response)) {
    if (value !== null) printLine(`${coloured('dim', name.padEnd(11))} ${value}`)
  }
  printEntries('갑구 (ownership)', data.section_a)
  printEntries('을구 (other rights)', data.section_b)
  for (const { message, entry_id: id } of [
    ...data.diagnostics.errors,
    ...data.diagnostics.warnings,
  ]) {
    printLine(coloured('yellow', `${id === null ? '' : `${id}: `}${message}`))
  }
}
