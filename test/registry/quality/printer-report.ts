/** How well certificates of each printer are read: redrawn pages, two separate layouts, and passes through other programs. */
import process from 'node:process'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import type { SourceContent } from '#registry/page-content.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import {
  type Certificate,
  generateCertificate,
} from '../fixtures/certificate/generate-certificate.ts'
import { htmlLayout } from '../fixtures/printers/html-layout.ts'
import { PASSES, type PassName, passThrough } from '../fixtures/printers/passes.ts'
import { pdfLayout } from '../fixtures/printers/pdf-layout.ts'
import { printPages } from '../fixtures/printers/print-by-browser.ts'
import { PRINTERS, type PrinterName, printBy } from '../fixtures/printers/printers.ts'
import { compareDocument } from './compare-document.ts'
import { readContent } from './content.ts'
import { newTally, scores, totalOf } from './tally.ts'

/** Fields that hold where an entry is printed, which depends on the layout. */
const PLACE = /page_no|page_count|is_continuation/

type Print = Readonly<{ certificate: Certificate; source: SourceContent }>

const rowOf = (name: string, prints: readonly Print[]): string => {
  const tally = newTally()
  let refused = 0
  for (const { certificate, source } of prints) {
    const parsed = parseRegistry(source, { parsedAt: '', documentId: null })
    if (parsed.kind === 'refused') refused += 1
    else compareDocument(tally, certificate.truth, parsed.document)
  }
  const places = tally.misses.filter(({ path }) => PLACE.test(path)).length
  const total = totalOf([...tally.groups.values()])
  const counted = {
    right: total.right,
    invented: Math.max(0, total.invented - places),
    missed: Math.max(0, total.missed - places),
  }
  const f1 = scores(counted).f1.toFixed(4)
  return `| ${name} | ${prints.length} | ${refused} | ${counted.right} | ${counted.missed} | ${f1} |`
}

const readAll = async (
  certificates: readonly Certificate[],
  files: readonly Uint8Array[],
): Promise<readonly Print[]> => {
  const prints: Print[] = []
  for (const [at, certificate] of certificates.entries()) {
    const source = await readPdf(new Uint8Array(files[at] ?? []), PDF_BOUNDS)
    prints.push({ certificate, source })
  }
  return prints
}

const countSame = async (name: PassName, files: readonly Uint8Array[]): Promise<string> => {
  let same = 0
  for (const file of files) {
    const after = await readContent(passThrough(name, file))
    if (after === (await readContent(file))) same += 1
  }
  return `${same} of ${files.length}`
}

const passRows = async (
  html: readonly Uint8Array[],
  pdf: readonly Uint8Array[],
): Promise<readonly string[]> => {
  const rows: string[] = []
  for (const name of passNames) {
    rows.push(`| ${name} | ${await countSame(name, html)} | ${await countSame(name, pdf)} |`)
  }
  return rows
}

const passNames = Object.keys(PASSES).filter((name): name is PassName => name in PASSES)
const names = Object.keys(PRINTERS).filter((name): name is PrinterName => name in PRINTERS)
const COUNT = Number(process.env.PRINTS ?? 150)
/** Number of files of each layout that go through each pass. */
const PASSED = 20

/** The tables of the report, by printer and by pass. */
export const printerReport = async (): Promise<string> => {
  const certificates = Array.from({ length: COUNT }, (_, at) => generateCertificate(at + 1))
  const redrawn = names.map((name) => {
    const prints = certificates.map((certificate) => ({
      certificate,
      source: printBy(name, certificate),
    }))
    return rowOf(name, prints)
  })
  const html = await printPages(certificates.map(htmlLayout))
  const pdf: Uint8Array[] = []
  for (const certificate of certificates) pdf.push(await pdfLayout(certificate))
  const browserRow = rowOf('HTML tables, by Chromium', await readAll(certificates, html))
  const libraryRow = rowOf('tables of a PDF library', await readAll(certificates, pdf))
  const passed = await passRows(html.slice(0, PASSED), pdf.slice(0, PASSED))
  return `## By printer

The first rows redraw the registry's own layout as other programs do. The last two lay the same content out anew, with columns,
fonts, line breaks, pages, borders and paper of their own: \`test/registry/fixtures/printers\`. Pages of entries are not compared.

| Printer | Certificates | Refused | Right | Lost | F1 |
|---|---|---|---|---|---|
${[...redrawn, browserRow, libraryRow].join('\n')}

The same files after a pass through another program (Debian 12), and how many give the same document:

| Pass | Printed by Chromium | By a PDF library |
|---|---|---|
${passed.join('\n')}

Ghostscript 10.00 destroys letters in the Unicode map of a font. Of a range, as Chromium writes it, remains enough to find them
(\`internal/pdf/repair-letters.ts\`). A map with more than 100 entries in one block, as pdf-lib writes it, is left out, and the parser
of this table finds no text. \`POST /v2/workflows\` then reads the glyphs by OCR: seed 1 without Unicode maps loses no field
(\`vitest run test/ocr/read-unnamed.test.ts\`); other files lose letters that look alike in their font.
`
}
