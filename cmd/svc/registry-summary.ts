/** A registry certificate on the terminal: what it is, who owns it, what weighs on it. */
import type { ParserResponse, RegistryDocument, RegistryEntry } from '#core/registry/document.ts'
import { coloured, printLine, printTable } from './remote/print.ts'

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

const rowOf = (entry: RegistryEntry): readonly string[] => {
  const row = [
    entry.rank_number,
    short(entry.purpose.raw),
    entry.receipt.date,
    short(peopleOf(entry)),
    amountsOf(entry),
    stateOf(entry),
  ]
  return entry.status.is_cancelled ? row.map((cell) => coloured('dim', cell)) : row
}

const printEntries = (name: string, entries: readonly RegistryEntry[]): void => {
  printLine('')
  printLine(entries.length === 0 ? `${name}: none` : coloured('bold', name))
  if (entries.length === 0) return
  printTable(['rank', 'purpose', 'received', 'persons', 'won', 'state'], entries.map(rowOf))
}

const factsOf = ({ data, confidence }: ParserResponse): readonly (readonly [string, string])[] => [
  ['kind', KINDS[data.profile.property_type]],
  ['number', data.unique_number],
  ['address', data.property_address],
  ['office', data.jurisdiction ?? '–'],
  ['printed', data.viewed_at ?? data.issued_at ?? '–'],
  ['pages', String(data.source.page_count)],
  ['confidence', `${confidence.overall} (${confidence.level})`],
]

export const describeCertificate = (response: ParserResponse): void => {
  const { data } = response
  for (const [name, value] of factsOf(response)) {
    printLine(`${coloured('dim', name.padEnd(11))} ${value}`)
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
