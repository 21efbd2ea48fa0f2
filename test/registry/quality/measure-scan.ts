/** One generated certificate as a scan, read by OCR, parsed, and compared with its truth. */

import type { OcrEngine } from '#ocr/engine.ts'
import { readScan } from '#ocr/read-scan.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { toWorkflowResult } from '#registry/workflow/workflow-result.ts'
import type { Certificate } from '../fixtures/certificate/generate-certificate.ts'
import { compareDocument } from './compare-document.ts'
import { type Counts, compare, newTally } from './tally.ts'

export const ACCURACIES = ['standard', 'high'] as const
export type Accuracy = (typeof ACCURACIES)[number]

export type ScanMeasure = Readonly<{
  quality: string
  accuracy: Accuracy
  seed: number
  pages: number
  milliseconds: number
  /** The stated confidence. It is null if nothing was recognised. */
  stated: number | null
  /** The value to which the confidence is fitted. */
  doubt: number
  groups: readonly (readonly [string, Counts])[]
  /** Counts of the workflow call's result. */
  result: Counts
  misses: readonly string[]
}>

const META = { parsedAt: '', documentId: null }

/** The result from the print, which the parser reads without a fault (docs/registry-quality.md). */
const printedResult = ({ pages, truth }: Certificate) => {
  const parse = parseRegistry(pages, META)
  const result =
    parse.kind === 'document' ? toWorkflowResult(parse, truth.profile.property_type) : null
  if (result === null) throw new Error('A certificate without a result.')
  const { confidence: _stated, ...fields } = result
  return fields
}

export const measureScan = async (
  engine: OcrEngine,
  certificate: Certificate,
  scan: Readonly<{ pdf: Uint8Array; quality: string; accuracy: Accuracy }>,
): Promise<ScanMeasure> => {
  const { quality, accuracy } = scan
  const started = performance.now()
  const options = { type: 'pdf', accuracy } as const
  const source = await readScan(async () => engine, scan.pdf.slice(), options, PDF_BOUNDS)
  const milliseconds = performance.now() - started
  const parse = parseRegistry(source, META)
  const tally = newTally()
  const fields = newTally()
  const { profile, ...truth } = certificate.truth
  const wanted = { ...profile, layout_profile: 'scan_ocr' }
  const printed = printedResult(certificate)
  const place = { group: 'result', path: 'result' }
  if (parse.kind === 'refused') {
    compare(tally, { group: 'refused', path: 'all' }, truth, {})
    compare(fields, place, printed, {})
  } else {
    compareDocument(tally, { ...truth, profile: wanted }, parse.document)
    compare(fields, place, printed, toWorkflowResult(parse, profile.property_type) ?? {})
  }
  return {
    quality,
    accuracy,
    seed: certificate.seed,
    pages: source.pages.length,
    milliseconds,
    stated: parse.kind === 'refused' ? null : parse.confidence.overall,
    doubt: source.ocrDoubt ?? 0,
    groups: [...tally.groups],
    result: fields.groups.get('result') ?? { right: 0, invented: 0, missed: 0 },
    misses: [...tally.misses, ...fields.misses].map(
      ({ path, wanted: one, found }) =>
        `${path}: ${JSON.stringify(one ?? null)} as ${JSON.stringify(found ?? null)}`,
    ),
  }
}
