/** Certificates that state a pending application, and owners of whom a part is missing [documents 13.11]. */
import { expect, it } from 'vitest'
import type { PageContent } from '#registry/page-content.ts'
import { readRows } from '../fixtures/certificate/from-rows.ts'

/** Adds a line to the first page. */
const withLine =
  (text: string, baseline: number) =>
  (pages: readonly PageContent[]): readonly PageContent[] =>
    pages.map((page, at) =>
      at > 0
        ? page
        : { ...page, texts: [...page.texts, { text, left: 30, right: 300, baseline, size: 10 }] },
    )

it.each([
  ['신청사건 처리중', 690],
  ['※ 이 부동산은 현재 등기신청사건이 처리 중입니다.', 690],
  ['* 등기신청사건 처리중: 2026년2월27일 접수 제1234호', 100],
])('%s at height %i is reported, with the line', (text, baseline) => {
  const { document, codes } = readRows({ change: withLine(text, baseline) })
  const [warning] = document.diagnostics.warnings
  expect(codes).toContain('APPLICATION_PENDING')
  expect(warning?.message).toContain(text)
})

it.each([
  '* 신청사건이 처리중인 경우 그 사실을 표시함.',
  '* 증명서는 컬러 또는 흑백으로 출력 가능함.',
])('the note %s of the form is not', (text) => {
  expect(readRows({ change: withLine(text, 100) }).codes).not.toContain('APPLICATION_PENDING')
})

it.each([
  [
    ['한누리 (소유자)', '700101-*******', '', '가람특별시 나래구 다솜로 12', '1'],
    ['FIELD_MISSING'],
  ],
  [['한누리 (소유자)', '700101-*******', '단독소유', '가람특별시 나래구 다솜로 12', '1'], []],
])('an owner of the summary with %j has the warnings %j', (owner, codes) => {
  expect(readRows({ summary: { owners: [owner] } }).codes).toEqual(codes)
})
