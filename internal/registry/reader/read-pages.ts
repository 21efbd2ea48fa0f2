/** Turns page content into lines, and separates body pages from summary pages. */
import { squeeze } from '../fields/normal-text.ts'
import type { PageContent, SourceContent, VerticalLine } from '../page-content.ts'
import type { RowPart, ToPageBox } from '../tables/row.ts'
import { type BodyPage, readBodyPages } from './body-page.ts'
import { cutStrikes } from './cut-strikes.ts'
import { frameByHeads } from './frame-by-heads.ts'
import { joinRules } from './join-rules.ts'
import { fitToFrame, frameOf, type PageFrame } from './page-frame.ts'
import { readLines, type TextLine } from './text-line.ts'

export type SummaryPage = Readonly<{
  lines: readonly TextLine[]
  verticals: readonly VerticalLine[]
}>

/** The pages of a document in points of the sheet, with the summary separate from the body. */
export type Pages = Readonly<{
  body: readonly BodyPage[]
  summary: readonly SummaryPage[]
  /** Pages of another certificate in the same file. Nothing on them counts as part of a table. */
  others: readonly BodyPage[]
  lines: readonly (readonly TextLine[])[]
  toPageBox: ToPageBox
}>

const isSummaryPage = (lines: readonly TextLine[]): boolean =>
  lines.some((line) =>
    /^주요등기사항요약|^출력일시/.test(squeeze(line.pieces.map((piece) => piece.text).join(''))),
  )

/** Summary pages have no long rules, so they take the frame of the body pages. */
const framesOf = (pages: readonly PageContent[]): readonly PageFrame[] => {
  const own = pages.map((page) => {
    const frame = frameOf(page)
    return frame.shift === 0 ? (frameByHeads(page) ?? frame) : frame
  })
  const measured = own.find((frame) => frame.shift !== 0)
  return own.map((frame, index) => {
    const isPlain = frame.shift === 0 && pages[index]?.width === pages[0]?.width
    return isPlain ? (measured ?? frame) : frame
  })
}

const withoutTables = (page: BodyPage): BodyPage => ({
  ...page,
  tables: [],
  below: [...page.tables, ...page.below],
})

/** Separates the pages of the register from those of its summary, and scales each to the standard form. */
export const readPages = (source: SourceContent): Pages => {
  const joined = source.pages.map((page) => joinRules(cutStrikes(page)))
  const frames = framesOf(joined)
  const fitted = joined.map((page, index) =>
    fitToFrame(page, frames[index] ?? { scale: 1, shift: 0 }),
  )
  const lines = fitted.map(readLines)
  const isSummary = lines.map(isSummaryPage)
  const isOwn = ({ isOfOther, isRepeated }: PageContent) =>
    isOfOther !== true && isRepeated !== true
  return {
    body: readBodyPages(fitted.filter((page, index) => isOwn(page) && !isSummary[index])),
    summary: fitted.flatMap((page, index) =>
      isOwn(page) && isSummary[index] === true
        ? [{ lines: lines[index] ?? [], verticals: page.verticals ?? [] }]
        : [],
    ),
    others: readBodyPages(fitted.filter(({ isOfOther }) => isOfOther === true)).map(withoutTables),
    lines,
    toPageBox: (part) => toPageBox(part, source.pages, frames),
  }
}

const toPageBox = (
  part: RowPart,
  pages: readonly PageContent[],
  frames: readonly PageFrame[],
): number[] => {
  const index = pages.findIndex((page) => page.number === part.page)
  const { scale, shift } = frames[index] ?? { scale: 1, shift: 0 }
  const height = pages[index]?.height ?? 0
  const [left, bottom, right, top] = part.box
  const round = (value: number) => Math.round(value * 100) / 100
  return [
    round((left - shift) / scale),
    round(height - top / scale),
    round((right - shift) / scale),
    round(height - bottom / scale),
  ]
}
