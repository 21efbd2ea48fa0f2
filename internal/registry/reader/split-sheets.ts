/** Splits sheets on which two pages are printed side by side [documents 3.9]. */
import type { HorizontalLine, PageContent, SourceContent, TextPiece } from '../page-content.ts'

/** Two pages side by side are wider than high, which a single page of a certificate never is. */
export const isWideSheet = ({ width, height }: Pick<PageContent, 'width' | 'height'>): boolean =>
  width >= height * 1.2

/** The margins of the two pages meet in the middle, so at least this share of the sheet's width is empty. */
export const GUTTER = 0.02

type Half = Readonly<{ from: number; to: number }>

/** Whether text or a rule crosses the middle of the sheet. */
const isWhole = ({ texts, lines, width }: PageContent): boolean => {
  const [from, to] = [width * (0.5 - GUTTER / 2), width * (0.5 + GUTTER / 2)]
  const crosses = ({ left, right }: TextPiece | HorizontalLine) => left < to && right > from
  return texts.some((piece) => piece.text.trim() !== '' && crosses(piece)) || lines.some(crosses)
}

const halfOf = (page: PageContent, { from, to }: Half): PageContent => {
  const isInside = ({ left, right }: TextPiece | HorizontalLine) =>
    (left + right) / 2 >= from && (left + right) / 2 < to
  const moved = <T extends TextPiece | HorizontalLine>(one: T): T => ({
    ...one,
    left: one.left - from,
    right: one.right - from,
  })
  return {
    ...page,
    width: to - from,
    texts: page.texts.filter(isInside).map(moved),
    lines: page.lines.filter(isInside).map(moved),
    verticals: (page.verticals ?? [])
      .filter(({ x }) => x >= from && x < to)
      .map((line) => ({ ...line, x: line.x - from })),
    sheet: { number: page.number, left: from },
  }
}

const pagesOn = (page: PageContent): readonly PageContent[] => {
  const { width, texts } = page
  if (!isWideSheet(page) || texts.length === 0 || isWhole(page)) return [page]
  const halves = [
    { from: 0, to: width / 2 },
    { from: width / 2, to: width },
  ].map((half) => halfOf(page, half))
  // the last sheet may have one page only
  return halves.filter((half) => half.texts.length > 0)
}

/** Returns the document with one page for each printed page, left before right, numbered again. */
export const splitSheets = (source: SourceContent): SourceContent => {
  const pages = source.pages.flatMap(pagesOn)
  if (pages.length === source.pages.length && pages.every((page) => page.sheet === undefined)) {
    return source
  }
  return { ...source, pages: pages.map((page, at) => ({ ...page, number: at + 1 })) }
}
