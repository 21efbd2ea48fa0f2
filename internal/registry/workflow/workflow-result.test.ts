import { expect, it } from 'vitest'
import { generateCertificate } from '../../../test/registry/fixtures/certificate/generate-certificate.ts'
import { parseRegistry } from '../parse-registry.ts'
import type { PropertyType } from '../schema/title.ts'
import { toWorkflowResult } from './workflow-result.ts'

const parsed = (propertyType: PropertyType, seed: number) => {
  const { pages, truth } = generateCertificate(seed, { propertyType, cases: ['viewing_copy'] })
  const parse = parseRegistry(pages, { parsedAt: '', documentId: null })
  if (parse.kind !== 'document') throw new Error(parse.message)
  return { parse, truth }
}

it.each([1, 2, 3, 4, 5, 6])('land, certificate %i: lot, area, use and number', (seed) => {
  const { parse, truth } = parsed('land', seed)
  const { title } = parse.document
  if (title.property_type !== 'land') throw new Error('no land')
  const result = toWorkflowResult(parse, 'land')
  expect(result).toMatchObject({
    registrationNumber: truth.unique_number,
    usage: title.land_type,
    confidence: parse.confidence.overall / 100,
  })
  if (result === null || !('landNumber' in result)) throw new Error('no result')
  expect(title.address).toContain(result.landNumber ?? 'no lot')
  expect(title.land_area?.replaceAll(',', '')).toBe(`${result.area}㎡`)
  expect(result.acquisitionDate).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

it('a building has no ground, and an aggregate building that of its right', () => {
  const building = toWorkflowResult(parsed('building', 3).parse, 'building')
  expect(building).toMatchObject({ groundArea: null, buildingArea: expect.any(String) })
  const { parse } = parsed('aggregate_building', 3)
  const { title } = parse.document
  if (title.property_type !== 'aggregate_building') throw new Error('no aggregate building')
  expect(toWorkflowResult(parse, 'aggregate_building')).toMatchObject({
    buildingArea: String(title.exclusive_area),
    groundArea: title.land_right_area === null ? null : String(title.land_right_area),
  })
})

it('a certificate of another kind than requested has no result', () => {
  expect(toWorkflowResult(parsed('land', 1).parse, 'building')).toBeNull()
  expect(toWorkflowResult(parsed('building', 1).parse, 'aggregate_building')).toBeNull()
})
