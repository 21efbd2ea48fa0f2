import { expect, it } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import { generateCertificate } from './fixtures/certificate/generate-certificate.ts'

it.each([1, 2, 3])('a certificate of the present owners alone lacks nothing, seed %i', (seed) => {
  const { pages, truth } = generateCertificate(seed, { cases: ['partial_current_owners'] })
  const parse = parseRegistry(pages, { parsedAt: '', documentId: null })
  if (parse.kind === 'refused') throw new Error(parse.message)
  const codes = parse.document.diagnostics.warnings.map(({ code }) => code)
  expect(codes).not.toContain('MISSING_SECTION_A')
  expect(parse.document.major_summary?.owners).toMatchObject(truth.major_summary?.owners ?? [{}])
  expect(parse.confidence.overall).toBeGreaterThan(90)
})
