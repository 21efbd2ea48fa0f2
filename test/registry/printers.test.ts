/** One certificate reads the same from every printer [documents 3.7]. */
import { describe, expect, it } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import { isLong } from '../support/runs.ts'
import {
  type Certificate,
  generateCertificate,
} from './fixtures/certificate/generate-certificate.ts'
import { PRINTERS, type PrinterName, printBy } from './fixtures/printers/printers.ts'
import { compareDocument } from './quality/compare-document.ts'
import { newTally, scores, totalOf } from './quality/tally.ts'

const CERTIFICATES = isLong ? 400 : 60
const WANTED = 0.999
/** Where most rules are missing, rows of a long list can be taken for text below the table. */
const WITH_LOSS: Readonly<Partial<Record<PrinterName, number>>> = { 'some rules': 0.995 }

const names = Object.keys(PRINTERS).filter((name): name is PrinterName => name in PRINTERS)

const measure = (name: PrinterName, certificates: readonly Certificate[]) => {
  const tally = newTally()
  const refused: number[] = []
  for (const certificate of certificates) {
    const parsed = parseRegistry(printBy(name, certificate), { parsedAt: '', documentId: null })
    if (parsed.kind === 'refused') refused.push(certificate.seed)
    else compareDocument(tally, certificate.truth, parsed.document)
  }
  return { refused, f1: scores(totalOf([...tally.groups.values()])).f1 }
}

describe('a certificate', () => {
  const certificates = Array.from({ length: CERTIFICATES }, (_, at) => generateCertificate(at + 1))

  it.each(names)('reads the same as printed by: %s', (name) => {
    const { refused, f1 } = measure(name, certificates)
    expect(refused).toEqual([])
    expect(f1).toBeGreaterThanOrEqual(WITH_LOSS[name] ?? WANTED)
  })
})
