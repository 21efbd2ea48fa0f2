import { expect, test } from 'vitest'
import { normalizeSbom } from './sbom.ts'

const TIME = '2026-01-31T00:00:00.000Z'

const fromNpm = (serial: string, folder: string): string =>
  JSON.stringify({
    bomFormat: 'CycloneDX',
    serialNumber: serial,
    metadata: { timestamp: new Date().toISOString(), component: { name: folder, type: 'library' } },
    components: [{ 'bom-ref': 'hono@4.0.0' }],
  })

test('what npm draws at random or takes from the folder does not reach the document', () => {
  const first = normalizeSbom(fromNpm('urn:uuid:1', 'a'), '0.2.0', TIME)
  expect(normalizeSbom(fromNpm('urn:uuid:2', 'b'), '0.2.0', TIME)).toBe(first)
  expect(JSON.parse(first)).toMatchObject({
    metadata: { timestamp: TIME, component: { name: 'svc', type: 'application' } },
    components: [{ 'bom-ref': 'hono@4.0.0' }],
  })
})

test('another release has another serial number', () => {
  const serialOf = (version: string): unknown =>
    JSON.parse(normalizeSbom(fromNpm('urn:uuid:1', 'a'), version, TIME)).serialNumber
  expect(serialOf('0.2.0')).not.toBe(serialOf('0.2.1'))
})
