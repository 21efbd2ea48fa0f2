import { parseRegistry } from '#registry/parse-registry.ts'
import {
  type CertificateOptions,
  generateCertificate,
} from '../fixtures/certificate/generate-certificate.ts'
import { compareDocument } from './compare-document.ts'
import type { Stated } from './reliability.ts'
import { addTally, newTally, type Tally, totalOf } from './tally.ts'

export type Measured = {
  readonly tally: Tally
  readonly cases: ReadonlyMap<string, number>
  readonly refused: readonly number[]
  /** For each document that was read: the confidence of the parser, and how much was right. */
  readonly documents: readonly Stated[]
}

/** Generates, parses and compares one certificate per seed. */
export function measure(seeds: readonly number[], options: CertificateOptions = {}): Measured {
  const tally = newTally()
  const cases = new Map<string, number>()
  const refused: number[] = []
  const documents: Stated[] = []
  for (const seed of seeds) {
    const certificate = generateCertificate(seed, options)
    for (const name of certificate.cases) cases.set(name, (cases.get(name) ?? 0) + 1)
    const parsed = parseRegistry(certificate.pages, { parsedAt: '', documentId: null })
    if (parsed.kind === 'refused') refused.push(seed)
    else {
      const own = newTally()
      compareDocument(own, certificate.truth, parsed.document)
      addTally(tally, own, `#${seed} `)
      const fields = totalOf([...own.groups.values()])
      documents.push({ stated: parsed.confidence.overall, fields, result: null })
    }
  }
  return { tally, cases, refused, documents }
}
