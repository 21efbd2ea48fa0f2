import { expect, it } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import { generateCertificate } from '../../../test/registry/fixtures/certificate/generate-certificate.ts'

const META = { parsedAt: '', documentId: null }
const { pages: source } = generateCertificate(101)

/** The certificate as a scan of which OCR doubts nothing, except what it did not read on the first pages. */
const parseScan = (...places: readonly (readonly [page: number, ...box: number[]])[]) => {
  const pages = source.pages.map((page) => {
    const notRead = places
      .filter(([number]) => number === page.number)
      .map(([, left = 0, top = 0, right = 0, bottom = 0]) => [left, top, right, bottom] as const)
    return { ...page, notRead }
  })
  const parse = parseRegistry({ ...source, pages, isTextBased: false, ocrDoubt: 0 }, META)
  if (parse.kind !== 'document') throw new Error(parse.code)
  return parse
}

it('names the entry whose text was not read, and lowers its confidence and that of the document', () => {
  const known = parseScan()
  const [entry] = known.document.section_a
  const { page_no = 0, bbox } = entry?.provenance ?? {}
  const [, top = 0, right = 0, bottom = 0] = bbox ?? []
  const place = [right - 60, (top + bottom) / 2 - 4, right - 10, (top + bottom) / 2 + 4]
  const { document, confidence } = parseScan([page_no, ...place])
  expect(document.diagnostics.warnings).toContainEqual({
    code: 'TEXT_NOT_READ',
    message: expect.stringContaining(`page ${page_no} at [`),
    entry_id: entry?.entry_id,
  })
  expect(document.section_a[0]?.confidence).toBeCloseTo((entry?.confidence ?? 0) - 0.3)
  expect(document.section_a.slice(1)).toEqual(known.document.section_a.slice(1))
  expect(known.confidence.level).toBe('높음')
  expect(confidence).toMatchObject({ level: '보통' })
})

it.each([
  ['below its other lines', 0],
  ['in a column of which nothing else was read', -8],
])('names the entry whose text %s was not read', (_, below) => {
  const [entry] = parseScan().document.section_a
  const { page_no = 0, bbox } = entry?.provenance ?? {}
  const [, , right = 0, bottom = 0] = bbox ?? []
  const { document } = parseScan([
    page_no,
    right + 4,
    bottom + below,
    right + 40,
    bottom + below + 8,
  ])
  expect(document.diagnostics.warnings).toContainEqual(
    expect.objectContaining({ code: 'TEXT_NOT_READ', entry_id: entry?.entry_id }),
  )
})

it('is not certain of a document with such text outside of an entry', () => {
  const { document, confidence } = parseScan([1, 300, 1, 340, 2])
  expect(document.diagnostics.warnings.map(({ code }) => code)).toContain('TEXT_NOT_READ')
  expect(confidence.overall).toBeLessThanOrEqual(84)
})
