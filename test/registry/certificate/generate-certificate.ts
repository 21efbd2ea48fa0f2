import type { PropertyType } from '#core/registry/document.ts'
import type { PageContent, SourceContent } from '#core/registry/page-content.ts'
import { padded, spacedTime } from './calendar.ts'
import { printedCases } from './case-report.ts'
import type { CaseName } from './cases.ts'
import { deriveEntry } from './derive-entries.ts'
import type { Imprint } from './furniture.ts'
import { type DrawnPage, PAGE_HEIGHT, PAGE_WIDTH } from './grid.ts'
import { makeImprint } from './imprint.ts'
import { type LaidOut, layOut } from './lay-out.ts'
import { createRandom } from './random.ts'
import { type Printed, select } from './select.ts'
import { chooseStyle, type Style, type StyleChoice } from './style.ts'
import { makeSummary, type Summary } from './summary.ts'
import { makeTables, type PrintedTables } from './tables.ts'
import type { CertificateTruth, EntryTruth, SummaryTruth } from './truth.ts'
import { makeWorld, type World } from './world.ts'

/*
 * Synthetic certificates with known truth, made from the brief and from measured pages, never from the parser. World (what was
 * registered), copy (what of it was ordered), layout (where it stands) and truth (what must be read) each have their files.
 */

export type Wish = {
  readonly propertyType?: PropertyType
  /** Every one of them will be in the certificate. */
  readonly cases?: readonly CaseName[]
  /** At least so many pages of the body. */
  readonly pages?: number
}
export type Certificate = {
  readonly seed: number
  /** What a parser gets to see. */
  readonly pages: SourceContent
  readonly truth: CertificateTruth
  readonly cases: ReadonlySet<CaseName>
  /** What the pages were drawn from, for the file and for tests of the layout. */
  readonly drawn: readonly DrawnPage[]
  /** Without the pages of the summary. */
  readonly bodyPages: number
  readonly style: Style
}

const PROPERTY_TYPES: readonly PropertyType[] = ['land', 'building', 'aggregate_building']

const toPage = (page: DrawnPage, style: Style): PageContent => {
  const { scale } = style
  const isColour = style.strike.startsWith('red')
  return {
    number: page.number,
    width: PAGE_WIDTH * scale,
    height: PAGE_HEIGHT * scale,
    texts: page.texts.map(({ text, left, right, baseline, size }) => ({
      text,
      left: left * scale,
      right: right * scale,
      baseline: baseline * scale,
      size: size * scale,
    })),
    lines: page.lines.map(({ kind, left, right, y }) => ({
      left: left * scale,
      right: right * scale,
      y: y * scale,
      isRed: kind === 'strike' && isColour,
    })),
  }
}

export const toSource = (pages: readonly DrawnPage[], style: Style): SourceContent => ({
  pages: pages.map((page) => toPage(page, style)),
  picture: null,
  isTextBased: true,
})

const summaryTruth = (world: World, summary: Summary): SummaryTruth => ({
  property_type: world.draft.propertyType,
  address: world.title.propertyAddress,
  owners: summary.owners.map(({ truth }) => truth),
  rights: summary.rights.flat().map(({ truth }) => truth),
})

const LAYOUT_PROFILES = {
  legacy: 'legacy_deungbon',
  issued: 'iros_issue_v1',
  viewed: 'iros_view_v1',
}

type Made = {
  readonly world: World
  readonly printed: Printed
  readonly summary: Summary
  readonly tables: PrintedTables
  readonly laid: LaidOut
  readonly imprint: Imprint
  readonly style: Style
}

const sectionsTruth = ({
  printed,
  tables,
  laid,
  style,
}: Made): Pick<CertificateTruth, 'section_a' | 'section_b'> => {
  if (style.copy === 'owners') return {}
  const entriesOf = (section: 'a' | 'b'): EntryTruth[] =>
    printed.sections[section].map((entry, index) => {
      const band = tables.entryBands[section][index]
      const place = band === undefined ? undefined : laid.places.get(band)
      return deriveEntry(entry, printed, { pages: place?.pages ?? [] })
    })
  return { section_a: entriesOf('a'), section_b: entriesOf('b') }
}

const deriveTruth = (made: Made): CertificateTruth => {
  const { world, style, imprint, laid } = made
  const isFull = style.copy === 'full' || style.copy === 'valid'
  const profile = style.isLegacy ? 'legacy' : style.isIssued ? 'issued' : 'viewed'
  const showsLists = style.copy !== 'owners' && style.copy !== 'history'
  return {
    profile: {
      certificate_type: isFull ? 'full' : 'partial',
      include_cancellations: style.copy === 'full' || style.copy === 'history',
      property_type: world.draft.propertyType,
      layout_profile: LAYOUT_PROFILES[profile],
    },
    page_count: laid.pages.length,
    unique_number: imprint.uniqueNumber,
    property_address: world.title.propertyAddress,
    jurisdiction: imprint.jurisdiction,
    viewed_at: style.isIssued ? null : `${padded(imprint.day)} ${spacedTime(imprint.time)}`,
    issued_at: style.isIssued ? padded(imprint.day) : null,
    title: world.title.truth,
    ...sectionsTruth(made),
    trade_lists: showsLists ? world.draft.tradeLists.map(({ truth }) => truth) : [],
    major_summary: style.hasSummary ? summaryTruth(world, made.summary) : null,
    warnings: style.copy === 'full' ? [...world.draft.warnings] : [],
  }
}

const make = (seed: number, wish: Wish, choice: StyleChoice, rounds: number): Certificate => {
  const propertyType = wish.propertyType ?? createRandom(seed ^ 0x7e).pick(PROPERTY_TYPES)
  const { style } = choice
  const world = makeWorld({
    seed,
    propertyType,
    copy: style.copy,
    isBefore2011: style.isLegacy,
    wished: new Set(wish.cases),
    layoutCases: [...choice.cases],
    rounds,
  })
  const printed = select(world, style.copy)
  const summary = makeSummary(world.draft, printed)
  const showsEmpty = !world.draft.plans('missing_section_b', 0.3)
  const tables = makeTables(world, printed, summary, style, showsEmpty)
  const imprint = makeImprint(world, style, seed)
  const withSummary = style.hasSummary ? summary : null
  const laid = layOut(tables.tables, withSummary, imprint, style, seed)
  const made: Made = { world, printed, summary, tables, laid, imprint, style }
  return {
    seed,
    pages: toSource(laid.pages, style),
    truth: deriveTruth(made),
    cases: printedCases({ world, printed, tables, laid, style, summary, styleCases: choice.cases }),
    drawn: laid.pages,
    bodyPages: laid.bodyPages,
    style,
  }
}

/** One seed, one certificate. With a wish, the seeds after it are tried until one fulfils it. */
export const generateCertificate = (seed: number, wish: Wish = {}): Certificate => {
  const wished = new Set(wish.cases)
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const next = seed + attempt * 1_000_003
    const propertyType = wish.propertyType ?? createRandom(next ^ 0x7e).pick(PROPERTY_TYPES)
    const choice = chooseStyle(next, propertyType, wished)
    const rounds = 1 + Math.floor(((wish.pages ?? 0) * (1 + attempt / 4)) / 6)
    const made = make(next, { ...wish, propertyType }, choice, rounds)
    const isFulfilled = [...wished].every((name) => made.cases.has(name))
    if (isFulfilled && made.bodyPages >= (wish.pages ?? 0)) return made
  }
  throw new Error(`no certificate has all of: ${[...wished].join(', ')}`)
}
