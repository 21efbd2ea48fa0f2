/** Measures scans of one quality in a separate process: arguments as JSON, one line of JSON for each document. */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { openOcrEngine } from '#ocr/engine.ts'
import { ocrAssets } from '#platform/ocr-assets.ts'
import { PROPERTY_TYPES } from '#registry/schema/title.ts'
import { generateCertificate } from '../fixtures/certificate/generate-certificate.ts'
import { certificatePdf } from '../fixtures/certificate/write-pdf.ts'
import { measureScan } from './measure-scan.ts'
import { scanPdf, toScannedPdf } from './scan-pages.ts'
import { scanTaskSchema } from './scan-task.ts'

const { quality, seeds, accuracies } = scanTaskSchema.parse(JSON.parse(process.argv[2] ?? ''))
const { wasm, korean } = ocrAssets()
const program = new Uint8Array(await readFile(wasm))
const engine = await openOcrEngine({ wasm: program, korean: await readFile(korean) })
for (const seed of seeds) {
  const propertyType = PROPERTY_TYPES[seed % PROPERTY_TYPES.length]
  const certificate = generateCertificate(seed, propertyType === undefined ? {} : { propertyType })
  const scans = scanPdf(await certificatePdf(certificate), quality)
  const pdf = await toScannedPdf(scans, quality.dpi)
  for (const accuracy of accuracies) {
    const measure = await measureScan(engine, certificate, { pdf, quality: quality.name, accuracy })
    process.stdout.write(`${JSON.stringify(measure)}\n`)
  }
}
