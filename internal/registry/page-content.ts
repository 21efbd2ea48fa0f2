/**
 * What a PDF page is to the parser: pieces of text and straight lines, in points, origin at the bottom left (as PDF has it).
 * `internal/pdf` makes it from a file, the tests make it from measured geometry; nothing further in knows of PDF.
 */
export type TextPiece = Readonly<{
  text: string
  left: number
  right: number
  baseline: number
  /** Font size in points. */
  size: number
}>

/** A horizontal line, or a filled rectangle too thin to be anything else. */
export type HorizontalLine = Readonly<{
  left: number
  right: number
  y: number
  /** Whether it is red, as a strike is on a colour print. In a grey print it is never true. */
  isRed: boolean
}>

/** A vertical line: the border of cells between its ends. */
export type VerticalLine = Readonly<{ x: number; bottom: number; top: number }>

export type PageContent = Readonly<{
  number: number
  width: number
  height: number
  texts: readonly TextPiece[]
  lines: readonly HorizontalLine[]
  verticals?: readonly VerticalLine[]
  /** Set where a sheet shows two pages: the sheet's number, and where on it this page begins. */
  sheet?: Readonly<{ number: number; left: number }>
}>

export type SourceContent = Readonly<{
  pages: readonly PageContent[]
  picture: string | null
  /** Whether the text came from the file itself (false: it was read by OCR). */
  isTextBased: boolean
  /** Whether its fonts do not tell which letters their glyphs are, so that OCR must name them. */
  isUnnamed?: boolean
  /** For a scan: the share of letters, 0 to 1, in text of which OCR is not sure. */
  ocrDoubt?: number
}>
