/** A document with the heading of a certificate and no readable row. */
import { describe, expect, it } from 'vitest'
import type { PageContent } from '#registry/page-content.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { samplePages } from '../support/sample-certificate.ts'

const META = { parsedAt: '2026-01-01T00:00:00.000Z', documentId: null }

const parse = (pages: readonly PageContent[]) =>
  parseRegistry({ pages, isTextBased: true, picture: null }, META)

/** The first page, cut off below the heading. */
const headingPage = (): PageContent => {
  const [first] = samplePages()
  if (first === undefined) throw new Error('The sample has no page.')
  const title = first.texts.findIndex(({ text }) => text.includes('표'))
  return { ...first, texts: first.texts.slice(0, title), lines: [] }
}

describe('a certificate of which no row is read', () => {
  it('is refused as nothing recognised, so that it costs nothing', () => {
    expect(parse([headingPage()])).toMatchObject({ kind: 'refused', code: 'nothing_recognised' })
  })

  it('is of another kind if no word of a property is left, unless its data is damaged', () => {
    const [first] = samplePages()
    const title = first?.texts.filter(({ text }) => text.includes('전부증명서')) ?? []
    const filler = {
      ...title[0],
      text: '발급받으신 증명서는 법적인 효력이 없습니다.',
      baseline: 300,
    }
    const pages = [{ ...first, texts: [...title, filler], lines: [] }] as PageContent[]
    const source = { pages, isTextBased: true, picture: null }
    const codes = [source, { ...source, isDoubtful: true }].map((each) => parseRegistry(each, META))
    expect(codes).toMatchObject([{ code: 'unsupported_document' }, { code: 'nothing_recognised' }])
  })

  it('is read once it has a table', () => {
    expect(parse(samplePages())).toMatchObject({ kind: 'document' })
  })
})
