/** Fonts that a PDF names but does not embed, as Korean programs often do: only the reader knows the meaning of their codes. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { KOREAN_CMAPS_OF } from '#pdf/korean-cmaps.gen.ts'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { CATALOG, content, PAGES, pageWith, pdfOf, RESOURCES } from '../support/raw-pdf.ts'

const fontNamed = (encoding: string): readonly string[] => [
  `<</Type /Font /Subtype /Type0 /BaseFont /HYSMyeongJo-Medium-${encoding} /Encoding /${encoding} /DescendantFonts [6 0 R]>>`,
  '<</Type /Font /Subtype /CIDFontType0 /BaseFont /HYSMyeongJo-Medium /CIDSystemInfo <</Registry (Adobe) /Ordering (Korea1) /Supplement 1>> /FontDescriptor 7 0 R /DW 1000>>',
  '<</Type /FontDescriptor /FontName /HYSMyeongJo-Medium /Flags 6 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 720 /StemV 80>>',
]

const pdfIn = (encoding: string, codes: string): Buffer =>
  pdfOf([
    CATALOG,
    PAGES,
    pageWith(RESOURCES),
    content(`BT /F 10 Tf 100 700 Td <${codes}> Tj ET`),
    ...fontNamed(encoding),
  ])

test.each([
  ['UniKS-UCS2-H', 'b4f1ae30c0acd56d'],
  ['UniKS-UTF16-H', 'b4f1ae30c0acd56d'],
  ['KSCms-UHC-H', 'b5eeb1e2bbe7c7d7'],
  ['KSC-EUC-H', 'b5eeb1e2bbe7c7d7'],
  ['KSCms-UHC-HW-H', 'b5eeb1e2bbe7c7d7'],
])('are read by %s', async (encoding, codes) => {
  const { pages } = await readPdf(new Uint8Array(pdfIn(encoding, codes)), PDF_BOUNDS)
  expect(pages[0]?.texts).toEqual([
    { text: '등기사항', left: 100, right: 140, baseline: 700, size: 10 },
  ])
})

test('an unknown table of codes makes no text, and does no harm', async () => {
  const reading = readPdf(new Uint8Array(pdfIn('No-Such-H', 'b4f1')), PDF_BOUNDS)
  await expect(reading.then(({ pages }) => pages[0]?.texts)).resolves.toEqual([])
})

test('the tables are those of the pdf.js within unpdf', () => {
  const file = resolve(import.meta.dirname, '../../node_modules/unpdf/package.json')
  const { devDependencies } = z
    .object({ devDependencies: z.object({ 'pdfjs-dist': z.string() }) })
    .parse(JSON.parse(readFileSync(file, 'utf8')))
  expect(devDependencies['pdfjs-dist']).toBe(`~${KOREAN_CMAPS_OF}`)
})
