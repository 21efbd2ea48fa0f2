/** From pages to a PDF and back: the reader finds what was written, and the parser reads the same from both. */
import { expect, test } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import type { RegistryDocument } from '#registry/schema/document.ts'
import { sampleCertificate, samplePages } from '../support/sample-certificate.ts'

const META = { parsedAt: '2026-11-21T00:00:00.000Z', documentId: null }
/** Boxes differ in the last digit, and the raw text differs in blanks that pdf.js inserts between two pieces. */
const withoutBoxes = (document: RegistryDocument): unknown =>
  JSON.parse(
    JSON.stringify({ ...document, raw_text: '', source: null, diagnostics: null }, (key, value) =>
      key === 'bbox' ? undefined : value,
    ),
  )

const read = () => readPdf(new Uint8Array(sampleCertificate()), PDF_BOUNDS)

test('texts and lines of the measured certificate come back as they were written', async () => {
  const { pages, picture } = await read()
  expect(picture).toMatch(/^iVBOR/)
  expect(pages.map(({ number }) => number)).toEqual(samplePages().map((_, at) => at + 1))
  for (const [at, page] of samplePages().entries()) {
    const found = pages[at]
    const textOf = (texts = page.texts) =>
      texts.map(({ text }) => text.replaceAll(' ', '')).join('')
    expect(textOf(found?.texts)).toBe(textOf())
    expect(found?.lines.length).toBe(
      page.lines.filter(({ left, right }) => right - left >= 3).length,
    )
  }
})

test('the parser reads the same document from the PDF as from its pages', async () => {
  const source = await read()
  const fromPdf = parseRegistry({ ...source, picture: null }, META)
  const fromPages = parseRegistry({ pages: samplePages(), picture: null, isTextBased: true }, META)
  if (fromPdf.kind === 'refused' || fromPages.kind === 'refused') throw new Error('It was refused.')
  expect(withoutBoxes(fromPdf.document)).toEqual(withoutBoxes(fromPages.document))
})
