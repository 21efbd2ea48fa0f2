/** A reader that loses fields to a fault of layout reports it [documents 13.6]. */
import { describe, expect, it } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import { isLong } from '../support/runs.ts'
import {
  type Certificate,
  generateCertificate,
} from './fixtures/certificate/generate-certificate.ts'
import { FAULTS, type FaultName, plantFault } from './fixtures/printers/faults.ts'
import { compareDocument } from './quality/compare-document.ts'
import { newTally } from './quality/tally.ts'

const CERTIFICATES = isLong ? 400 : 60
const WANTED = 0.99
/** Fields that name the place of an entry, not its content. */
const PLACE = /page_no|provenance|page_count|merged|is_continuation/

type Read = Readonly<{ lost: number; codes: readonly string[]; confidence: number }>

const read = (source: Certificate['pages'], { truth }: Certificate): Read | null => {
  const parsed = parseRegistry(source, { parsedAt: '', documentId: null })
  if (parsed.kind === 'refused') return null
  const tally = newTally()
  compareDocument(tally, truth, parsed.document)
  return {
    lost: tally.misses.filter(({ path }) => !PLACE.test(path)).length,
    codes: parsed.document.diagnostics.warnings.map(({ code }) => code),
    confidence: parsed.confidence.overall,
  }
}

const names = Object.keys(FAULTS).filter((name): name is FaultName => name in FAULTS)

/** Plants each fault into certificates that are read whole without it. @returns those that lose fields to it */
const plantAll = (certificates: readonly Certificate[]) =>
  certificates.flatMap((certificate) => {
    const clean = read(certificate.pages, certificate)
    if (clean === null || clean.lost > 0) return []
    return names.flatMap((name) => {
      const faulty = read(plantFault(name, certificate), certificate)
      if (faulty === null || faulty.lost === 0) return []
      const hearsAllWrites = faulty.codes.some(
        (code) => faulty.codes.filter(same(code)).length > clean.codes.filter(same(code)).length,
      )
      const isLess = faulty.confidence < clean.confidence
      return [{ name, seed: certificate.seed, hearsAllWrites, isLess }]
    })
  })

const same = (code: string) => (other: string) => other === code

describe('a certificate with a fault of layout', () => {
  const planted = plantAll(
    Array.from({ length: CERTIFICATES }, (_, at) => generateCertificate(at + 1)),
  )

  it('loses fields to each fault', () => {
    const found = new Set(planted.map(({ name }) => name))
    expect(names.filter((name) => !found.has(name))).toEqual([])
  })

  it('carries a warning that it had not without the fault', () => {
    const silent = planted.filter(({ hearsAllWrites }) => !hearsAllWrites)
    // shown when it fails
    if (silent.length > planted.length * (1 - WANTED)) expect(silent).toEqual([])
  })

  it('has a lower confidence', () => {
    const unmoved = planted.filter(({ isLess }) => !isLess)
    if (unmoved.length > planted.length * (1 - WANTED)) expect(unmoved).toEqual([])
  })
})
