import { expect, test } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import type { RegistryDocument } from '#registry/schema/document.ts'
import { currentOwners } from '#registry/workflow/current-owners.ts'
import { generateCertificate } from './fixtures/certificate/generate-certificate.ts'

const SEEDS = 300

const read = (seed: number): RegistryDocument | null => {
  const parse = parseRegistry(generateCertificate(seed).pages, { parsedAt: '', documentId: null })
  return parse.kind === 'document' ? parse.document : null
}
const isWhole = (document: RegistryDocument | null): document is RegistryDocument =>
  document !== null &&
  document.major_summary !== null &&
  document.profile.certificate_type === 'full'
/** The generated summary keeps the name from before the change. */
const hasRenamed = ({ section_a }: RegistryDocument): boolean =>
  section_a.some(({ content }) => /성명\(명칭\)/.test(content.notes_raw ?? ''))

test('the entries of section A give the owners that the summary states', () => {
  const documents = Array.from({ length: SEEDS }, (_, seed) => read(seed))
    .filter(isWhole)
    .filter((document) => !hasRenamed(document))
  const wrong = documents.flatMap((document) => {
    const stated = currentOwners(document).toSorted()
    const derived = currentOwners({ ...document, major_summary: null }).toSorted()
    return stated.join() === derived.join() ? [] : [{ stated, derived }]
  })
  expect(documents.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})
