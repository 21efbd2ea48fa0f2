/** How well certificates of each printer are read: redrawn pages, two layouts of their own, and passes through other programs. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { pdfLayout } from '../fixtures/printers/pdf-layout.ts'
import { printPages } from '../fixtures/printers/print-by-browser.ts'
import { PRINTERS, type PrinterName, printBy } from '../fixtures/printers/printers.ts'
import { compareDocument } from './compare-document.ts'
import { newTally, scores, totalOf } from './tally.ts'

/** Fields that say where an entry is printed: another layout has other pages. */
const PLACE = /page_no|page_count|is_continuation/
/** What a pass through another program may move a little. */
const MOVED = new Set(['bbox', 'box', 'raw_text', 'text_length', 'document_id'])

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

/** Programs of Debian's packages qpdf, mupdf-tools and ghostscript that write a file again. */
const PASSES: Readonly<Record<string, (from: string, to: string) => readonly string[]>> = {
  'qpdf --linearize': (from, to) => ['qpdf', '--linearize', from, to],
  'qpdf --object-streams=generate': (from, to) => ['qpdf', '--object-streams=generate', from, to],
  'qpdf --qdf': (from, to) => ['qpdf', '--qdf', '--object-streams=disable', from, to],
  'qpdf --encrypt (empty user password)': (from, to) => {
    return ['qpdf', '--encrypt', '', 'owner', '256', '--', from, to]
  },
  'qpdf --rotate=+90': (from, to) => ['qpdf', '--rotate=+90', from, to],
  'mutool clean -ggggz': (from, to) => ['mutool', 'clean', '-ggggz', from, to],
}

const contentOf = (source: SourceContent): string => {
  const parsed = parseRegistry(source, { parsedAt: '', documentId: null })
  if (parsed.kind === 'refused') return parsed.code
  return JSON.stringify(parsed.document, (key, value: unknown) => {
    if (MOVED.has(key)) return undefined
    return typeof value === 'string' ? value.replace(/\s/g, '') : value
  })
}

const read = (file: string) => readPdf(new Uint8Array(readFileSync(file)), PDF_BOUNDS)

const passRows = async (files: readonly Uint8Array[]): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-printers-'))
  const [from, to] = [join(folder, 'from.pdf'), join(folder, 'to.pdf')]
  const rows: string[] = []
  try {
    for (const [name, command] of Object.entries(PASSES)) {
      const [program = '', ...args] = command(from, to)
      let same = 0
      for (const file of files) {
        writeFileSync(from, file)
        execFileSync(program, args, { stdio: 'ignore' })
        if (contentOf(await read(from)) === contentOf(await read(to))) same += 1
      }
      rows.push(`| ${name} | ${files.length} | ${same} |`)
    }
    return rows
  } catch {
    return [...rows, '| not measured: install qpdf and mupdf-tools | | |']
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const names = Object.keys(PRINTERS).filter((name): name is PrinterName => name in PRINTERS)
const COUNT = Number(process.env.PRINTS ?? 150)

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
  const passed = await passRows([...html.slice(0, 10), ...pdf.slice(0, 10)])
  return `## By printer

The first rows redraw the registry's own layout as other programs do. The last two lay the same content out anew, with columns,
fonts, line breaks, pages, borders and paper of their own: \`test/registry/fixtures/printers\`. Pages of entries are not compared.

| Printer | Certificates | Refused | Right | Lost | F1 |
|---|---|---|---|---|---|
${[...redrawn, browserRow, libraryRow].join('\n')}

The same files after a pass through another program, and how many give the same document:

| Pass | Files | Same |
|---|---|---|
${passed.join('\n')}

Ghostscript 10.00 (Debian 12) loses letters itself: of ranges in a font's Unicode map, as Chromium writes them, and of maps with
more than 100 entries in one block, as pdf-lib writes them. No reader finds those letters again. Such a file is refused as
\`nothing_recognised\` without a charge, or carries \`TEXT_DAMAGED\`.
`
}
