/** Counts the sections of a document and reports those that are missing. */
import type { Finding } from '../schema/document.ts'
import type { Table } from '../tables/read-tables.ts'
import type { SummaryPage } from './read-pages.ts'
import type { DocumentHead } from './read-profile.ts'

const SECTION_NAMES: Readonly<Record<Table['kind'], string>> = {
  land: 'title',
  building: 'title',
  land_right_land: 'title',
  exclusive_part: 'title',
  land_right: 'title',
  section_a: 'section_a',
  section_b: 'section_b',
  trade_list: 'trade_lists',
  collateral_list: 'collateral_lists',
  holders: 'holders',
}

/** Counts the rows of each part of the document, and lists its pages. */
export const countSections = (tables: readonly Table[], summaryPages: readonly SummaryPage[]) => {
  const rows: Record<string, number> = {}
  const pages: Record<string, number[]> = {}
  for (const table of tables) {
    const name = SECTION_NAMES[table.kind]
    rows[name] = (rows[name] ?? 0) + table.rows.length
    const all = table.rows.flatMap((row) => row.parts.map((part) => part.page))
    pages[name] = [...new Set([...(pages[name] ?? []), table.page, ...all])].sort((a, b) => a - b)
  }
  if (summaryPages.length > 0) {
    pages.major_summary = summaryPages.flatMap(({ lines }) => lines[0]?.page ?? [])
  }
  return { rows, pages, found: Object.keys(pages) }
}

/** Reports what every certificate has and this one lacks. @param owners how many the summary or the table of owners lists */
export const findMissing = (
  head: DocumentHead,
  tables: readonly Table[],
  owners: number,
): readonly Finding[] => {
  const found: Finding[] = []
  const add = (code: string, message: string) => found.push({ code, message, entry_id: null })
  if (head.uniqueNumber === null) add('MISSING_UNIQUE_NUMBER', 'The unique number was not found.')
  if (head.jurisdiction === null) add('MISSING_JURISDICTION', 'The registry office was not found.')
  // a certificate of the current owners only lists them, and has no section A
  if (!tables.some(({ kind }) => kind === 'section_a' || (kind === 'holders' && owners > 0))) {
    add('MISSING_SECTION_A', 'Section A (갑구) was not found.')
  }
  const isTitled = tables.some(({ kind }) => SECTION_NAMES[kind] === 'title')
  if (!isTitled) add('MISSING_TITLE', 'The title section (표제부) was not found.')
  return found
}
