import type { CaseName } from './cases.ts'
import { drawFurniture, drawTrailer, type Imprint } from './furniture.ts'
import type { DrawnPage } from './grid.ts'
import { type BandPlace, type Flow, type FlowPlan, flow } from './paginate.ts'
import { createRandom } from './random.ts'
import { createSheet, finishSheet, type Sheet } from './sheet.ts'
import type { Style } from './style.ts'
import type { Summary } from './summary.ts'
import { laySummary } from './summary-layout.ts'
import type { Band } from './text.ts'
import type { Table } from './title-row.ts'

export type LaidOut = {
  readonly pages: readonly DrawnPage[]
  readonly bodyPages: number
  readonly places: ReadonlyMap<Band, BandPlace>
}

/** The last page is set closer and keeps room for the trailer, so which page is the last must be found by trying. */
const findFlow = (tables: readonly Table[], style: Style, seed: number): Flow => {
  const run = (plan: FlowPlan): Flow => flow(tables, style, createRandom(seed), plan)
  let plan: FlowPlan = {
    lastPage: run({ lastPage: 10_000, keptFree: 0 }).sheets.length,
    keptFree: 0,
  }
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const made = run(plan)
    if (made.sheets.length === plan.lastPage) return made
    // too long for the last page: one more page, and the page before it must leave something for it
    if (made.sheets.length > plan.lastPage) plan = { lastPage: plan.lastPage + 1, keptFree: 0 }
    else plan = { ...plan, keptFree: plan.keptFree + style.pitch * 2 }
  }
  throw new Error('the certificate finds no last page')
}

/** Furniture is drawn first in a page, so it is drawn on a sheet of its own that goes in front. */
const withFurniture = (
  sheet: Sheet,
  imprint: Imprint,
  pageCount: number,
  seed: number,
): DrawnPage => {
  const isEdge = sheet.number === 1 || sheet.number === pageCount
  const front = createSheet(sheet.number, isEdge, sheet.style, createRandom(seed + sheet.number))
  drawFurniture(front, imprint, { pageCount })
  return finishSheet({
    ...sheet,
    texts: [...front.texts, ...sheet.texts],
    lines: [...front.lines, ...sheet.lines],
  })
}

export const layOut = (
  tables: readonly Table[],
  summary: Summary | null,
  imprint: Imprint,
  style: Style,
  seed: number,
): LaidOut => {
  const made = findFlow(tables, style, seed)
  const bodyPages = made.sheets.length
  const last = made.sheets.at(-1)
  if (last !== undefined) drawTrailer(last, imprint, made.end)
  const body = made.sheets.map((sheet) => withFurniture(sheet, imprint, bodyPages, seed))
  const after =
    summary === null ? [] : laySummary(summary, imprint, style, createRandom(seed), bodyPages + 1)
  return { pages: [...body, ...after.map(finishSheet)], bodyPages, places: made.places }
}

/** What only the print can tell: which entries and tables were cut by a page's end. */
export const layoutCases = (
  laid: LaidOut,
  bands: {
    readonly entries: readonly Band[]
    readonly title: readonly Band[]
    readonly lists: readonly Band[]
  },
): Set<CaseName> => {
  const cases = new Set<CaseName>()
  const pagesOf = (band: Band): number[] => laid.places.get(band)?.pages ?? []
  for (const band of bands.entries) {
    if (pagesOf(band).length > 1) cases.add('entry_over_pages')
    if (pagesOf(band).length > 2) cases.add('entry_over_three_pages')
    if (laid.places.get(band)?.isPurposeCut) cases.add('purpose_over_pages')
  }
  if (bands.title.some((band) => pagesOf(band).length > 1)) cases.add('title_over_pages')
  if (laid.pages.length > laid.bodyPages + 1) cases.add('summary_over_pages')
  const last = bands.entries.at(-1)
  if (last !== undefined && pagesOf(last).at(-1) === laid.bodyPages && bands.lists.length === 0) {
    cases.add('trailer_after_entry')
  }
  return cases
}
