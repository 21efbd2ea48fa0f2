import type { PropertyType } from '#core/registry/document.ts'
import type { CaseName } from './cases.ts'
import { createRandom } from './random.ts'
import type { CopyKind } from './world.ts'

export type StrikeForm = 'red-line' | 'black-line' | 'red-rectangle' | 'grey-line'
/** How this one certificate is printed. What varies is what was not measured, or differs between prints. */
export type Style = {
  readonly copy: CopyKind
  readonly isIssued: boolean
  readonly isLegacy: boolean
  readonly hasSpacedTitle: boolean
  readonly hasSummary: boolean
  readonly watermark: 'none' | 'whole' | 'pieces'
  readonly strike: StrikeForm
  readonly isMonochrome: boolean
  readonly strikesFirst: boolean
  readonly hasVerticalRules: boolean
  readonly doublesRules: boolean
  readonly rulesAsRectangles: boolean
  readonly scale: number
  /** Line pitch of the middle pages; the first and the last page take 0.95 of it. */
  readonly pitch: number
  /** Baselines and centres are off by up to this much, as measured (0.15 pt). */
  readonly jitter: number
  readonly hasBarCode: boolean
  /** List heads stand in the first of their two rows, or between them. */
  readonly centresListHeads: boolean
  readonly listHeadForm: 'glyphs' | 'spaced' | 'plain'
  readonly repeatsSummaryHead: boolean
  readonly hasEmptySectionHeads: boolean
}
export type StyleChoice = { readonly style: Style; readonly cases: ReadonlySet<CaseName> }

/** A current or partial copy is ordered seldom; without a wish for one, what was wished for must be visible. */
const COPIES: readonly {
  readonly copy: CopyKind
  readonly name: CaseName
  readonly share: number
}[] = [
  { copy: 'valid', name: 'valid_only', share: 0.12 },
  { copy: 'share', name: 'partial_share', share: 0.06 },
  { copy: 'owners', name: 'partial_current_owners', share: 0.05 },
  { copy: 'history', name: 'partial_share_history', share: 0.06 },
]

type Copy = { readonly copy: CopyKind; readonly name: CaseName | null }
const chooseCopy = (chance: number, wished: ReadonlySet<CaseName>): Copy => {
  const asked = COPIES.find(({ name }) => wished.has(name))
  if (asked !== undefined) return asked
  let rest = wished.size === 0 ? chance : 1
  for (const each of COPIES) {
    if (rest < each.share) return each
    rest -= each.share
  }
  return { copy: 'full', name: null }
}

export const chooseStyle = (
  seed: number,
  propertyType: PropertyType,
  wished: ReadonlySet<CaseName>,
): StyleChoice => {
  const random = createRandom(seed ^ 0x57a1e)
  const cases = new Set<CaseName>()
  const has = (name: CaseName, probability: number): boolean => {
    const answer = random.chance(probability) || wished.has(name)
    if (answer) cases.add(name)
    return answer
  }
  const { copy, name } = chooseCopy(random.next(), wished)
  if (name !== null) cases.add(name)
  const isLegacy =
    copy === 'full' && propertyType !== 'aggregate_building' && has('legacy_title', 0.1)
  const isIssued = !wished.has('viewing_copy') && has('issue_copy', 0.22)
  if (!isIssued) cases.add('viewing_copy').add('strike_footnote')
  const isMonochrome = has('monochrome', 0.12)
  const isRectangle = !isMonochrome && has('strike_as_rectangle', 0.15)
  const hasMark = !isIssued && has('watermark', 0.8)
  const isPieces = hasMark && has('watermark_in_pieces', 0.3)
  if (propertyType === 'land') has('other_land_columns', 0.4)
  has('indented_shares', 0.2)
  const style: Style = {
    copy,
    isIssued,
    isLegacy,
    hasSpacedTitle: has('spaced_title_line', 0.15),
    hasSummary: (copy === 'full' || copy === 'valid') && !isLegacy && has('summary_pages', 0.45),
    watermark: hasMark ? (isPieces ? 'pieces' : 'whole') : 'none',
    strike: isMonochrome
      ? random.pick(['black-line', 'grey-line'])
      : isRectangle
        ? 'red-rectangle'
        : 'red-line',
    isMonochrome,
    strikesFirst: has('strike_before_text', 0.2),
    hasVerticalRules: has('vertical_rules', 0.5),
    doublesRules: has('duplicate_rules', 0.2),
    rulesAsRectangles: has('rules_as_rectangles', 0.12),
    scale: has('scaled_page', 0.1) ? 0.97 : 1,
    pitch: has('other_pitch', 0.12) ? random.pick([12.6, 13.2]) : 13,
    jitter: random.pick([0, 0.07, 0.15]),
    hasBarCode: has('bar_code', 0.5),
    centresListHeads: random.chance(0.4),
    listHeadForm: random.pick(['glyphs', 'spaced', 'plain']),
    repeatsSummaryHead: random.chance(0.5),
    hasEmptySectionHeads: random.chance(0.4),
  }
  return { style, cases }
}
