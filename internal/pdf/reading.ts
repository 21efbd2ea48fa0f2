/** What reading a PDF may cost, and the ways in which it can fail. */
import { Buffer } from 'node:buffer'

export type PdfBounds = Readonly<{
  maxPages: number
  /** Maximum number of text pieces, and of lines, on one page. */
  maxPieces: number
  /** Pixels of a decoded image. Larger images are left out. */
  maxImagePixels: number
}>

export const PDF_BOUNDS: PdfBounds = {
  maxPages: 500,
  maxPieces: 50_000,
  maxImagePixels: 16_000_000,
}

/**
 * `not_a_pdf`: another kind of file, or no file. `encrypted`: it needs a password. `broken`: damaged or truncated.
 * `too_slow`, `too_big`: beyond the limits on time, or on pages, pieces or memory. `low_resolution`: a scan of less
 * than 200 DPI. `in_pieces`: a page of a scan consists of images that cannot be joined.
 */
export const PDF_FAILURES = [
  'not_a_pdf',
  'encrypted',
  'broken',
  'too_slow',
  'too_big',
  'low_resolution',
  'in_pieces',
] as const
export type PdfFailure = (typeof PDF_FAILURES)[number]

/** A file that cannot be read. It is thrown where the fault is found, and returned to the caller as a value. */
export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly failure: PdfFailure
  constructor(failure: PdfFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}

const CHECKED = 4_096
const MARK = '%PDF-'
/** PDF readers accept the mark a little later, after bytes that a mail program has put before it. */
const MARK_WITHIN = 1_024
const END = 'startxref'

const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

/** The bytes of a file, in order. */
export type FileParts = readonly Uint8Array[]

/** The first or last bytes of the file, as many as are checked. */
const edgeOf = (parts: FileParts, side: 'head' | 'tail'): Uint8Array => {
  let edge: Uint8Array = new Uint8Array(0)
  for (const part of side === 'head' ? parts : parts.toReversed()) {
    if (edge.length >= CHECKED) break
    const wanted = CHECKED - edge.length
    const piece = side === 'head' ? part.subarray(0, wanted) : part.subarray(-wanted)
    const both = side === 'head' ? [edge, piece] : [piece, edge]
    edge = new Uint8Array(Buffer.concat(both))
  }
  return edge
}

/**
 * Cheap checks before any work is done. Every PDF ends with a reference to its table. For a truncated
 * file, a PDF reader would rebuild the table and show a document without its last pages.
 */
export const glanceAt = (parts: FileParts): PdfError | null => {
  if (!latin1(edgeOf(parts, 'head').subarray(0, MARK_WITHIN)).includes(MARK)) {
    return new PdfError('not_a_pdf', 'This is not a PDF.')
  }
  return latin1(edgeOf(parts, 'tail')).includes(END)
    ? null
    : new PdfError('broken', 'The file is cut short.')
}
