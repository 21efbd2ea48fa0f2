import type { CaseName } from './cases.ts'
import { type LaidOut, layoutCases } from './lay-out.ts'
import type { Printed } from './select.ts'
import type { Style } from './style.ts'
import type { Summary } from './summary.ts'
import type { PrintedTables } from './tables.ts'
import { runsOf } from './text.ts'
import type { World } from './world.ts'

type Made = {
  readonly world: World
  readonly printed: Printed
  readonly tables: PrintedTables
  readonly laid: LaidOut
  readonly style: Style
  readonly summary: Summary
  readonly styleCases: ReadonlySet<CaseName>
}

/** Names of cases that depend on the layout, or on what was chosen to be printed, not on what was planned. */
const REPORTED_HERE: readonly CaseName[] = [
  'empty_section_b',
  'missing_section_b',
  'collateral_list_over_pages',
]

/** The cases that this print really shows. A copy that leaves entries out reports none of theirs, to be on the safe side. */
export const printedCases = (made: Made): ReadonlySet<CaseName> => {
  const { world, printed, tables, laid, style } = made
  const cases = new Set<CaseName>(made.styleCases)
  for (const name of style.copy === 'full' ? world.draft.cases : world.titleCases) cases.add(name)
  for (const name of REPORTED_HERE) cases.delete(name)
  const entries = [...tables.entryBands.a, ...tables.entryBands.b]
  const bands = { entries, title: tables.titleBands, lists: tables.listBands }
  for (const name of layoutCases(laid, bands)) cases.add(name)
  if (style.copy !== 'owners' && style.copy !== 'history' && tables.entryBands.b.length === 0) {
    cases.add(tables.hasSectionB ? 'empty_section_b' : 'missing_section_b')
  }
  for (const table of tables.tables) {
    if (table.heading.name !== '공동담보목록') continue
    const pages = new Set(table.bands.flatMap((band) => laid.places.get(band)?.pages ?? []))
    if (pages.size > 1) cases.add('collateral_list_over_pages')
  }
  const ranks = new Set(printed.sections.a.map(({ rank }) => rank))
  if (printed.sections.b.some(({ rank }) => ranks.has(rank)))
    cases.add('same_rank_in_both_sections')
  const facts = made.summary.rights.flat().flatMap(({ cells }) => cells.flatMap(runsOf))
  if (style.hasSummary && facts.some((run) => run.struck)) cases.add('summary_struck_amount')
  return cases
}
