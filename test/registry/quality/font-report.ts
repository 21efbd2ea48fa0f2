/**
 * `node test/registry/quality/font-report.ts 444:UnBatang …`: how well scans are read of
 * certificates that a PDF library printed in fonts of Debian (fonts-nanum, fonts-unfonts-core,
 * fonts-baekmuk), seed by seed, at 300 and 200 DPI. It prints a table.
 */
import { globSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { type OcrEngine, openOcrEngine } from '#ocr/engine.ts'
import { readScan } from '#ocr/read-scan.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { ocrAssets } from '#platform/ocr-assets.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { generateCertificate } from '../fixtures/certificate/generate-certificate.ts'
import { pdfLayout } from '../fixtures/printers/pdf-layout.ts'
import { compareDocument } from './compare-document.ts'
import { scanPdf, toScannedPdf } from './scan-pages.ts'
import { type Counts, newTally, scores, totalOf } from './tally.ts'

/** Fields that hold where an entry is printed, which depends on the layout. */
const PLACE = /page_no|page_count|is_continuation/
const A4 = [595.28, 841.89] as const
/** A separate folder hides the fonts from the browser, which would print different pages with them. */
const FONTS = process.env.SCAN_FONTS ?? '/usr/share/fonts/truetype'
const RESOLUTIONS = (process.env.SCAN_DPI ?? '300,200').split(',').map(Number)

const fontPath = (name: string): string => {
  const paths = globSync('**/*.ttf', { cwd: FONTS }).map((path) => join(FONTS, path))
  const found = paths.find((path) => basename(path, '.ttf') === name)
  if (found === undefined) throw new Error(`There is no font ${name} in ${FONTS}.`)
  return found
}

const measure = async (
  engine: OcrEngine,
  seed: number,
  font: string,
  dpi: number,
): Promise<Counts> => {
  const certificate = generateCertificate(seed)
  const style = { font: fontPath(font), isWholeFont: true, paper: A4, page: 'plain' } as const
  const scans = scanPdf(await pdfLayout(certificate, style), { name: font, dpi })
  const started = process.cpuUsage()
  const options = { type: 'pdf', accuracy: 'standard' } as const
  const pdf = await toScannedPdf(scans, dpi)
  const source = await readScan(async () => engine, pdf, options, PDF_BOUNDS)
  const { user, system } = process.cpuUsage(started)
  const parse = parseRegistry(source, { parsedAt: '', documentId: null })
  const tally = newTally()
  const { profile, ...truth } = certificate.truth
  const wanted = { ...truth, profile: { ...profile, layout_profile: 'scan_ocr' } }
  if (parse.kind === 'document') compareDocument(tally, wanted, parse.document)
  const places = tally.misses.filter(({ path }) => PLACE.test(path)).length
  const { right, invented, missed } = totalOf([...tally.groups.values()])
  const counts = {
    right,
    invented: Math.max(0, invented - places),
    missed: Math.max(0, missed - places),
  }
  const seconds = (user + system) / 1e6 / Math.max(1, source.pages.length)
  const shown =
    parse.kind === 'document'
      ? `${scores(counts).recall.toFixed(3)} | ${parse.confidence.overall}`
      : 'refused | –'
  process.stdout.write(`| ${seed} | ${font} | ${dpi} | ${shown} | ${seconds.toFixed(1)} |\n`)
  return counts
}

const { wasm, korean } = ocrAssets()
const program = new Uint8Array(readFileSync(wasm))
const engine = await openOcrEngine({ wasm: program, korean: readFileSync(korean) })
process.stdout.write('| Seed | Font | DPI | Recall | Stated | Processor seconds a page |\n')
process.stdout.write('|---|---|---|---|---|---|\n')
for (const dpi of RESOLUTIONS) {
  const all: Counts[] = []
  for (const one of process.argv.slice(2)) {
    const [seed = '', font = ''] = one.split(':')
    all.push(await measure(engine, Number(seed), font, dpi))
  }
  const recall = scores(totalOf(all)).recall.toFixed(3)
  process.stdout.write(
    `| all | | ${dpi} | ${recall} | | load ${loadavg()[0]?.toFixed(0) ?? ''} |\n`,
  )
}
