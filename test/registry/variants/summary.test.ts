/** The summary at the end against the entries [documents 13.6]. */
import { describe, expect, it } from 'vitest'
import type { TextPiece } from '#registry/page-content.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { crossCheck } from '#registry/reader/cross-check.ts'
import type { RegistryEntry } from '#registry/schema/entry.ts'
import { type RowText, readRows } from '../fixtures/certificate/from-rows.ts'
import { generateCertificate } from '../fixtures/certificate/generate-certificate.ts'

const META = { parsedAt: '', documentId: null }
const { pages } = generateCertificate(3, { cases: ['summary_pages', 'twin_mortgages'] })

const codesWithout = (isGone: (text: TextPiece) => boolean): readonly string[] => {
  const cut = pages.pages.map((page) => ({
    ...page,
    texts: page.texts.filter((each) => !isGone(each)),
  }))
  const parse = parseRegistry({ ...pages, pages: cut }, META)
  if (parse.kind !== 'document') throw new Error(parse.message)
  return parse.document.diagnostics.warnings.map(({ code }) => code)
}

it('reports an entry in force that the summary lacks', () => {
  const isOfSummary = ({ texts }: (typeof pages.pages)[number]): boolean =>
    texts.some(({ text }) => text.startsWith('출력일시'))
  const summary = new Set(pages.pages.filter(isOfSummary).flatMap(({ texts }) => texts))
  const rank = [...summary].findLast(({ text, left }) => /^\d+$/.test(text) && left < 60)
  expect(codesWithout(() => false)).not.toContain('SUMMARY_MISMATCH')
  expect(codesWithout((text) => text === rank)).toContain('SUMMARY_MISMATCH')
})

it('names each creditor of a right', () => {
  const isOfFact = ({ text, size }: TextPiece): boolean => size === 10 && text === '채권최고액'
  const changed = pages.pages.map((page) => {
    if (!page.texts.some(({ text }) => text.startsWith('출력일시'))) return page
    const heights = page.texts.filter(isOfFact).map(({ baseline }) => baseline)
    const texts = page.texts.map((piece) => {
      if (!heights.some((height) => Math.abs(height - piece.baseline) < 2)) return piece
      if (isOfFact(piece)) return { ...piece, text: '근저당권자' }
      return piece.text.startsWith('금') ? { ...piece, text: '주식회사나래' } : piece
    })
    return { ...page, texts }
  })
  const parse = parseRegistry({ ...pages, pages: changed }, META)
  const creditors = parse.kind === 'document' ? parse.document.major_summary?.rights : []
  const two = creditors?.map(({ creditor }) => creditor).filter((name) => name?.includes('나래,'))
  expect(two?.[0]).toMatch(/^주식회사나래, \S/)
})

describe('reports of the summary', () => {
  const parse = parseRegistry(generateCertificate(9, { cases: ['summary_pages'] }).pages, META)
  if (parse.kind !== 'document') throw new Error(parse.message)
  const { document } = parse
  type Change = Partial<RegistryEntry['status']>
  const messages = (section: 'section_a' | 'section_b', rank: string, change: Change) => {
    const entries = document[section].map((entry) =>
      entry.rank_number === rank ? { ...entry, status: { ...entry.status, ...change } } : entry,
    )
    return crossCheck({ ...document, [section]: entries }).map(({ message }) => message)
  }

  it('a right that is cancelled', () => {
    expect(messages('section_b', '2', {})).toEqual([])
    const said = ['The summary has rank 2, which is cancelled.']
    expect(messages('section_b', '2', { is_cancelled: true })).toEqual(said)
  })

  it('an owner by an entry that is cancelled', () => {
    const [first] = document.major_summary?.owners ?? []
    const said = [`Section A lacks the name or rank of the owner ${first?.name}.`]
    expect(messages('section_a', '6', { is_cancelled: true })).toEqual(said)
  })

  it('that no owner owns by the last entry', () => {
    const [first, ...others] = document.major_summary?.owners ?? []
    const sectionA = document.section_a.map((entry) => ({
      ...entry,
      rank_number: entry.rank_number === '6' ? '7' : entry.rank_number,
    }))
    const summary = document.major_summary && { ...document.major_summary, owners: others }
    const found = crossCheck({ ...document, section_a: sectionA, major_summary: summary })
    expect(first?.rank_number).toBe('6')
    const said = 'The summary has no owner by rank 7, which is in force.'
    expect(found.map(({ message }) => message)).toContain(said)
  })
})

describe('owners of the summary', () => {
  const source = generateCertificate(8).pages
  const codesOf = (change: (text: string) => string): readonly string[] => {
    const changed = source.pages.map((page) => ({
      ...page,
      texts: page.texts.some(({ text }) => text.startsWith('출력일시'))
        ? page.texts.map((each) => ({ ...each, text: change(each.text) }))
        : page.texts,
    }))
    const parse = parseRegistry({ ...source, pages: changed }, META)
    if (parse.kind !== 'document') throw new Error(parse.message)
    return parse.document.diagnostics.warnings.map(({ code }) => code)
  }

  it('are compared with section A, and their shares are added', () => {
    expect(codesOf((text) => text)).toEqual([])
    expect(codesOf((text) => text.replace(/^.(?=.* \(공유자\))/, '빛'))).toContain(
      'SUMMARY_MISMATCH',
    )
    expect(codesOf((text) => text.replace(/^(\d+)분의 \d+$/, '$1분의 1'))).toContain(
      'SHARES_INCOMPLETE',
    )
  })
})

it('reports a certificate of the current owners of which no owner was read', () => {
  const owners = generateCertificate(1, { cases: ['partial_current_owners'] })
  const heads = owners.pages.pages.map((page) => {
    const heading = page.texts.find(({ text }) => /등기명의인/.test(text))
    const isBelow = ({ baseline, size }: TextPiece) =>
      heading !== undefined && baseline < heading.baseline - 5 && baseline > 150 && size === 10
    return { ...page, texts: page.texts.filter((text) => !isBelow(text)) }
  })
  const parse = parseRegistry({ ...owners.pages, pages: heads }, META)
  if (parse.kind !== 'document') throw new Error(parse.message)
  expect(parse.document.major_summary).toBeNull()
  expect(parse.document.diagnostics.warnings).toContainEqual(
    expect.objectContaining({ code: 'MISSING_SECTION_A' }),
  )
})

describe('the creditor of a mortgage that was transferred', () => {
  const home = '    가람특별시 나래구 다솜로 12'
  const bank = (name: string, mark: string) =>
    `${mark}근저당권자${mark}  ${mark}${name}${mark}  ${mark}110111-0000005${mark}\n    ${mark}${home.trim()}${mark}`
  const sum = '채권최고액  금100원'
  const debtor = `채무자  한누리\n${home}`
  const mortgage: RowText = [
    '1',
    '근저당권설정',
    '2011년1월2일\n제3호',
    '2011년1월1일\n설정계약',
    `${sum}\n${debtor}\n${bank('가나은행', '~~')}`,
  ]
  const transfer: RowText = [
    '1-1',
    '1번근저당권이전',
    '2012년3월4일\n제30호',
    '2012년3월1일\n확정채권양도',
    bank('다솜은행', ''),
  ]
  const owner = ['한누리 (소유자)', '700101-*******', '단독소유', home.trim(), '1']
  const read = (facts: string, ...more: readonly RowText[]) => {
    const row = ['1', '근저당권설정', '2011년1월2일\n제3호', facts, '한누리']
    const rights: readonly RowText[] = [row, ...more]
    const { document, codes } = readRows({
      sectionB: [mortgage, transfer],
      summary: { owners: [owner], rights },
    })
    return { right: document.major_summary?.rights[0], codes }
  }
  const own: RowText = ['1-1', '근저당권이전', '2012년3월4일\n제30호', '근저당권자  다솜은행', '']

  it('may be named by the row of the transfer', () => {
    expect(read(sum, own).codes).toEqual([])
    expect(read(sum).codes).toEqual(['FIELD_MISSING'])
  })

  it('is the one that is not struck through', () => {
    const facts = `~~${sum}~~\n채권최고액  금90원\n~~근저당권자~~  ~~가나은행~~\n근저당권자  다솜은행`
    const { right, codes } = read(facts)
    expect(right).toMatchObject({ creditor: '다솜은행', max_claim_amount: 90 })
    expect(codes).toEqual([])
  })

  it('is reported if no entry of the rank names it', () => {
    expect(read(`${sum}\n근저당권자  나래은행`, own).codes).toEqual(['SUMMARY_MISMATCH'])
  })
})
