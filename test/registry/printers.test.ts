/** A certificate reads the same from every printer [documents 3.7]. */
import { describe, expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import type { SourceContent } from '#registry/page-content.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { isLong } from '../support/runs.ts'
import {
  type Certificate,
  generateCertificate,
} from './fixtures/certificate/generate-certificate.ts'
import { htmlLayout } from './fixtures/printers/html-layout.ts'
import { pdfLayout } from './fixtures/printers/pdf-layout.ts'
import { printByBrowser, printPages } from './fixtures/printers/print-by-browser.ts'
import { PRINTERS, type PrinterName, printBy } from './fixtures/printers/printers.ts'
import { compareDocument } from './quality/compare-document.ts'
import { newTally, scores, totalOf } from './quality/tally.ts'

const CERTIFICATES = isLong ? 400 : 36
const BROWSER_PRINTS = isLong ? 60 : 6
const WANTED = 0.999
/** Where most rules are missing, the parser may take rows of a long list for text below the table. */
const WITH_LOSS: Readonly<Partial<Record<PrinterName, number>>> = { 'some rules': 0.995 }

const names = Object.keys(PRINTERS).filter((name): name is PrinterName => name in PRINTERS)

type Print = Readonly<{ certificate: Certificate; source: SourceContent }>

const measure = (prints: readonly Print[]) => {
  const tally = newTally()
  const refused: number[] = []
  for (const { certificate, source } of prints) {
    const parsed = parseRegistry(source, { parsedAt: '', documentId: null })
    if (parsed.kind === 'refused') refused.push(certificate.seed)
    else compareDocument(tally, certificate.truth, parsed.document)
  }
  const lost = tally.misses.filter(({ path }) => !PLACE.test(path)).map(({ path }) => path)
  return { refused, lost, f1: scores(totalOf([...tally.groups.values()])).f1 }
}

/** Fields that hold where an entry is printed, which depends on the layout. */
const PLACE = /page_no|page_count|is_continuation/

const readAll = (
  certificates: readonly Certificate[],
  files: readonly Uint8Array[],
): Promise<readonly Print[]> =>
  Promise.all(
    certificates.map(async (certificate, at) => ({
      certificate,
      source: await readPdf(new Uint8Array(files[at] ?? []), PDF_BOUNDS),
    })),
  )

describe('a certificate', () => {
  const certificates = Array.from({ length: CERTIFICATES }, (_, at) => generateCertificate(at + 1))

  it.each(names)('reads the same as printed by: %s', (name) => {
    const prints = certificates.map((certificate) => ({
      certificate,
      source: printBy(name, certificate),
    }))
    const { refused, f1 } = measure(prints)
    expect(refused).toEqual([])
    expect(f1).toBeGreaterThanOrEqual(WITH_LOSS[name] ?? WANTED)
  })

  it.each([
    { font: 'NanumGothicCoding', wanted: 1 },
    { font: 'NanumMyeongjo', wanted: 0.997 },
  ])('reads the same as Chromium prints it in $font', { timeout: 60_000 }, async (by) => {
    const chosen = certificates.slice(0, BROWSER_PRINTS)
    const files = await printByBrowser(chosen, by.font)
    const { refused, f1 } = measure(await readAll(chosen, files))
    expect(refused).toEqual([])
    expect(f1).toBeGreaterThanOrEqual(by.wanted)
  })

  it('reads the same from tables of HTML with columns, pages and fonts of their own', async () => {
    // the seeds cover headings and heads on each page, wrapped heads, rows over pages, other paper, no rules
    const seeds = isLong ? Array.from({ length: 100 }, (_, at) => at + 1) : [5, 6, 8, 21, 38, 45]
    const chosen = seeds.map((seed) => generateCertificate(seed))
    const files = await printPages(chosen.map(htmlLayout))
    const { refused, lost } = measure(await readAll(chosen, files))
    expect(refused).toEqual([])
    expect(lost.length).toBeLessThanOrEqual(isLong ? 100 : 0)
  })

  it('reads the same from a PDF library with borders, boxes and turns of its own', async () => {
    // the seeds cover texts sign by sign, boxes for borders, CropBox, /Rotate, heads at the left, joined restorations
    const seeds = isLong ? Array.from({ length: 100 }, (_, at) => at + 1) : [9, 19, 27, 30, 42, 99]
    const chosen = seeds.map((seed) => generateCertificate(seed))
    const files: Uint8Array[] = []
    for (const certificate of chosen) files.push(await pdfLayout(certificate))
    const { refused, lost } = measure(await readAll(chosen, files))
    expect(refused).toEqual([])
    expect(lost).toEqual([])
  })
})
