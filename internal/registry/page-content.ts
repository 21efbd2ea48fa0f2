/**
 * What a PDF page is to the parser: pieces of text and straight lines, in points, origin at the bottom left (as PDF has it).
 * `internal/pdf` makes it from a file, the tests make it from measured geometry; nothing further in knows of PDF.
 */
export type TextPiece = {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  /** Font size in points. */
  readonly size: number
}

/** A horizontal line, or a filled rectangle too thin to be anything else. */
export type HorizontalLine = {
  readonly left: number
  readonly right: number
  readonly y: number
  /** Red, which a strike is on a colour print; a grey print says nothing. */
  readonly isRed: boolean
}

export type PageContent = {
  readonly number: number
  readonly width: number
  readonly height: number
  readonly texts: readonly TextPiece[]
  readonly lines: readonly HorizontalLine[]
}

export type SourceContent = {
  readonly pages: readonly PageContent[]
  readonly picture: string | null
  /** Whether the text came from the file itself (false: it was read by OCR). */
  readonly isTextBased: boolean
  /** Of a scan: how many of its letters, 0 to 1, stand in a stretch of text of which OCR is not sure. */
  readonly ocrDoubt?: number
}
