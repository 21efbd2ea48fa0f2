import { expect, it } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import { printRows } from '../../../test/registry/fixtures/certificate/from-rows.ts'

const row = (rank: string, name: string) => [
  rank,
  '근저당권설정',
  '2011년1월1일\n제3호',
  '2011년1월1일\n설정계약',
  `채권최고액  금100원\n채무자  ${name}\n근저당권자  주식회사누리은행  110111-0000002`,
]

/** The certificate as a scan of which OCR is not sure of the texts. */
const parseScan = (isDoubtful: (text: string) => boolean) => {
  const source = printRows({ sectionB: [row('1', '한누리'), row('2', '한다솜')] })
  const pages = source.pages.map((page) => ({
    ...page,
    texts: page.texts.map((piece) =>
      isDoubtful(piece.text) ? { ...piece, isDoubtful: true } : piece,
    ),
  }))
  const scan = { ...source, pages, isTextBased: false, ocrDoubt: 0 }
  const parse = parseRegistry(scan, { parsedAt: '', documentId: null })
  if (parse.kind !== 'document') throw new Error(parse.code)
  return {
    entries: parse.document.section_b.map(({ confidence }) => confidence),
    overall: parse.confidence.overall,
  }
}

it('an entry is less certain the more of its letters OCR doubts, and the others are not', () => {
  const [first, second] = parseScan((text) => text.includes('한다솜')).entries
  expect(first).toBe(1)
  expect(second).toBeLessThan(1)
  const [, all] = parseScan((text) => !/^\d/.test(text)).entries
  expect(all).toBeLessThan(second ?? 0)
})

it('the confidence of the whole, which has such a share of its own, is not lowered twice', () => {
  expect(parseScan((text) => text.includes('한다솜')).overall).toBe(parseScan(() => false).overall)
})
