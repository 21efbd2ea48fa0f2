import { parseRegistry } from '#core/registry/parse-registry.ts'
import { generateCertificate, type Wish } from '../certificate/generate-certificate.ts'
import { compareDocument } from './compare-document.ts'
import { newTally, type Tally } from './tally.ts'

export type Measured = {
  readonly tally: Tally
  readonly cases: ReadonlyMap<string, number>
  readonly refused: readonly number[]
}

/** Generates, parses and compares one certificate per seed. */
export function measure(seeds: readonly number[], wish: Wish = {}): Measured {
  const tally = newTally()
  const cases = new Map<string, number>()
  const refused: number[] = []
  for (const seed of seeds) {
    const certificate = generateCertificate(seed, wish)
    for (const name of certificate.cases) cases.set(name, (cases.get(name) ?? 0) + 1)
    const parsed = parseRegistry(certificate.pages, { parsedAt: '', documentId: null })
    if (parsed.kind === 'refused') refused.push(seed)
    else {
      const before = tally.misses.length
      compareDocument(tally, certificate.truth, parsed.document)
      for (const miss of tally.misses.slice(before))
        Object.assign(miss, { path: `#${seed} ${miss.path}` })
    }
  }
  return { tally, cases, refused }
}
