/** What the lines around the tables state: the title, and the day of the copy [documents 3.3]. */
import { expect, it } from 'vitest'
import type { PageContent } from '#registry/page-content.ts'
import { OWNER, type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const ROW = ['2', '가압류', '2011년1월2일\n제3호', '2011년1월1일\n결정', '채권자  한다솜']
const STRUCK: RowText = ['~2', ...ROW.slice(1)]
const END: RowText = ['3', '2번가압류등기말소', '2012년1월2일\n제4호', '2012년1월1일\n해제', '']

/** Replaces a text on all pages. An empty text is left out. */
const replace = (place: RegExp, by: string) => (pages: readonly PageContent[]) =>
  pages.map((page) => ({
    ...page,
    texts: page.texts
      .map((text) => (place.test(text.text) ? { ...text, text: by } : text))
      .filter(({ text }) => text !== ''),
  }))
const TITLE = /^등기사항/
const VIEWED = /^열람일시|^열 람 용/

it.each([
  ['등기사항일부증명서(특정인 지분)', true],
  ['등기사항전부증명서(현재 유효사항)', false],
])('a certificate of a part includes cancellations if it shows some: %s', (title, isIncluded) => {
  const change = replace(TITLE, title)
  const read = (sectionA: readonly RowText[]) =>
    readRows({ sectionA, change }).document.profile.include_cancellations
  expect(read([OWNER, STRUCK, END])).toBe(isIncluded)
  expect(read([OWNER])).toBe(false)
})

it.each([
  ['발행일 2024/06/20', '2024년 06월 20일'],
  ['발행일시 : 2024년6월20일 13시6분16초', '2024년 06월 20일 13시 06분 16초'],
  ['서기 2024년 6월 20일', '2024년 06월 20일'],
])('a copy with a day of issue is an issued one: %s', (line, issuedAt) => {
  const { document } = readRows({ change: replace(VIEWED, line) })
  expect(document).toMatchObject({
    viewed_at: null,
    issued_at: issuedAt,
    profile: { layout_profile: 'iros_issue_v1' },
  })
})

it.each(['서기 1995년 3월 14일 이기', '수표발행일 1995년 3월 14일', '서기 1995년 3월 14일'])(
  'a day in an entry is not that of an issue: %s',
  (line) => {
    const sectionA = [OWNER, [...ROW.slice(0, 4), `채권자  한다솜\n${line}`]]
    const { document } = readRows({ sectionA })
    expect(document.issued_at).toBeNull()
    expect(document.profile.layout_profile).toBe('iros_view_v1')
  },
)

it.each([
  ['등기부 등본 (말소사항 포함) - 토지', 'full', true],
  ['등기부 등본 (현재 유효사항) - 토지', 'full', false],
  ['등기부 초본 (지분취득 이력) - 토지', 'partial', true],
])('a copy of before 2011 has a title of its own: %s', (title, type, isIncluded) => {
  const { profile } = readRows({ change: replace(TITLE, title) }).document
  expect(profile).toMatchObject({
    certificate_type: type,
    include_cancellations: isIncluded,
    layout_profile: 'legacy_deungbon',
  })
})
