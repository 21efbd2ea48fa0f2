/** PDFs written by hand, object by object. */
import { deflateSync } from 'node:zlib'

export type PdfObject = string | Readonly<{ dictionary: string; stream: Uint8Array }>

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

export const toObject = (object: PdfObject, number: number): Buffer =>
  typeof object === 'string'
    ? latin1(`${number} 0 obj\n${object}\nendobj\n`)
    : Buffer.concat([
        latin1(
          `${number} 0 obj\n<<${object.dictionary} /Length ${object.stream.length}>>\nstream\n`,
        ),
        object.stream,
        latin1('\nendstream\nendobj\n'),
      ])

export type FileOptions = Readonly<{
  /** Entries of the trailer in addition to /Root and /Size. */
  trailer?: string
  /** Replaces the offset of the cross-reference table. */
  startXref?: string
}>

/** A file with these objects, numbered from 1. The first is the catalog. */
export const pdfOf = (
  objects: readonly PdfObject[],
  { trailer = '', startXref }: FileOptions = {},
): Buffer => {
  const parts: Buffer[] = [latin1('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const part = toObject(object, index + 1)
    offsets.push(at)
    parts.push(part)
    at += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    latin1(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Root 1 0 R /Size ${size} ${trailer}>>\nstartxref\n${startXref ?? at}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

export const CATALOG = '<</Type /Catalog /Pages 2 0 R>>'
export const PAGES = '<</Type /Pages /Kids [3 0 R] /Count 1>>'
export const FONT = '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>'
export const pageWith = (more: string): string =>
  `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ${more}>>`
export const RESOURCES = '/Resources <</Font <</F 5 0 R>>>>'
export const TEXT = 'BT /F 10 Tf 50 700 Td (Hello 1501-2023-099901) Tj ET'
export const content = (text: string): PdfObject => ({ dictionary: '', stream: latin1(text) })

/** One page with one line of text and an additional drawing. */
export const plainPdf = (drawing = ''): Buffer =>
  pdfOf([CATALOG, PAGES, pageWith(RESOURCES), content(`${TEXT} ${drawing}`), FONT])

export const withContent = (
  stream: PdfObject,
  page = RESOURCES,
  more: readonly PdfObject[] = [],
): Buffer => pdfOf([CATALOG, PAGES, pageWith(page), stream, FONT, ...more])

export const zeros = (megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 1_048_576))
