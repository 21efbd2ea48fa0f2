/** Certificates whose fonts do not map glyphs to letters: OCR identifies the glyphs [documents 3.10]. */
import { afterAll, describe, expect, it } from 'vitest'
import { readRegistryPdf } from '#service/registry/parse-registry.ts'
import {
  type Certificate,
  generateCertificate,
} from '../registry/fixtures/certificate/generate-certificate.ts'
import { pdfLayout } from '../registry/fixtures/printers/pdf-layout.ts'
import { withoutUnicode } from '../registry/fixtures/printers/without-unicode.ts'
import { compareDocument } from '../registry/quality/compare-document.ts'
import { newTally } from '../registry/quality/tally.ts'
import { isLong } from '../support/runs.ts'
import { openTestReader } from '../support/test-reader.ts'

const reader = openTestReader()
afterAll(() => reader.close())

/** Proportional fonts, a fixed-width font, and texts placed sign by sign. */
const SEEDS = isLong ? [1, 3, 4, 5] : [1]
const PLACE = /page_no|page_count|is_continuation|layout_profile/

const read = async (file: Uint8Array) => {
  const options = { parsedAt: '', documentId: '', accuracy: 'standard' } as const
  const answer = await readRegistryPdf(reader, [file], options)
  if (answer.kind === 'failed' || answer.parse.kind === 'refused') throw new Error('it was refused')
  return answer.parse
}

const lostIn = async (certificate: Certificate, file: Uint8Array) => {
  const { document, confidence } = await read(file)
  const tally = newTally()
  compareDocument(tally, certificate.truth, document)
  const lost = tally.misses.filter(({ path }) => !PLACE.test(path)).map(({ path }) => path)
  return { lost, source: document.source, confidence: confidence.overall }
}

describe('a certificate whose fonts do not tell their letters', () => {
  it.each(SEEDS)(
    'is read by the outlines of its glyphs, seed %i',
    { timeout: 120_000 },
    async (seed) => {
      const certificate = generateCertificate(seed)
      const file = await withoutUnicode(await pdfLayout(certificate))
      const { lost, source, confidence } = await lostIn(certificate, file)
      expect(lost).toEqual([])
      expect(source.pdf_text_based).toBe(false)
      expect(confidence).toBeGreaterThan(85)
    },
  )
})
