/**
 * A PDF page as the parser sees it: pieces of text and straight lines, in points, with the
 * origin at the bottom left as in PDF. `internal/pdf` creates it from a file, and tests
 * create it from measured geometry. The parser itself has no knowledge of PDF.
 */
export type TextPiece = Readonly<{
  text: string
  left: number
  right: number
  baseline: number
  /** Font size in points. */
  size: number
  /** Set for text of a scan that OCR is not sure of. */
  isDoubtful?: boolean
}>

/** A horizontal line, or a filled rectangle as thin as a line. */
export type HorizontalLine = Readonly<{
  left: number
  right: number
  y: number
  /** Whether it is red, as strikes are on a colour print. Never true on a greyscale print. */
  isRed: boolean
}>

/** A vertical line: a border of cells. */
export type VerticalLine = Readonly<{ x: number; bottom: number; top: number }>

export type PageContent = Readonly<{
  number: number
  width: number
  height: number
  texts: readonly TextPiece[]
  lines: readonly HorizontalLine[]
  verticals?: readonly VerticalLine[]
  /** Set if images cover most of the page and no line is drawn: a scan to which a program added a layer of text. */
  isPicture?: boolean
  /** Set if the page contains text that is not visible on it. */
  hasHiddenText?: boolean
  /** Set if the page paints over some of its text, so that it is not visible. */
  hasCoveredText?: boolean
  /** Set for a page of a scan that is not an image, so that it was not read. */
  isWithoutImage?: boolean
  /** Set for a scan: where OCR could not read text inside tables, as `[left, top, right, bottom]` from the top left. */
  notRead?: readonly (readonly [number, number, number, number])[]
  /** Set if the page belongs to a second certificate in the same file, which is not read. */
  isOfOther?: boolean
  /** Set if the page repeats an earlier one, and is not read again. */
  isRepeated?: boolean
  /** Set if a sheet shows two pages: the number of the sheet, and the left edge of this page on it. */
  sheet?: Readonly<{ number: number; left: number }>
}>

export type SourceContent = Readonly<{
  pages: readonly PageContent[]
  picture: string | null
  /** Whether the text came from the file itself and not from OCR. */
  isTextBased: boolean
  /** Whether its fonts do not map glyphs to letters, so that OCR must identify them. */
  isUnnamed?: boolean
  /** Whether packed data of the file is damaged, so that text may be missing or wrong. */
  isDoubtful?: boolean
  /** For a scan: the share of letters, 0 to 1, in text that OCR is not sure of. */
  ocrDoubt?: number
}>
