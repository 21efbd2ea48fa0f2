/** Strikes that a program draws as one line over all cells [documents 10.3]. */
import { expect, it } from 'vitest'
import type { HorizontalLine, PageContent } from '#registry/page-content.ts'
import { type RowText, readRows } from '../fixtures/certificate/from-rows.ts'

const HOME = '    가람특별시 나래구 다솜로 12'
const RIGHTS = `채권최고액  금100원\n채무자  한누리\n${HOME}\n근저당권자  누리은행  110111-0000002\n${HOME}`
const SECTION_B: readonly RowText[] = [
  ['~1', '근저당권설정', '2011년1월2일\n제3호', '2011년1월1일\n설정계약', RIGHTS],
  ['2', '1번근저당권설정등기말소', '2012년3월4일\n제30호', '2012년3월1일\n해지', ''],
  ['3', '근저당권설정', '2013년1월2일\n제5호', '2013년1월1일\n설정계약', RIGHTS],
]

/** A rule is red in no print, and every strike of the generator is. */
const joinStrikes =
  (join: (all: readonly HorizontalLine[]) => Pick<HorizontalLine, 'left' | 'right'>) =>
  (pages: readonly PageContent[]): readonly PageContent[] =>
    pages.map((page) => {
      const byHeight = Map.groupBy(
        page.lines.filter((line) => line.isRed),
        ({ y }) => Math.round(y),
      )
      const joined = [...byHeight.values()].flatMap((all) => {
        const [first] = all
        return first === undefined ? [] : [{ ...first, ...join(all) }]
      })
      return { ...page, lines: [...page.lines.filter((line) => !line.isRed), ...joined] }
    })

it.each([
  ['over the table', () => ({ left: 24.3, right: 573.7 })],
  [
    'over the texts',
    (all: readonly HorizontalLine[]) => ({
      left: Math.min(...all.map(({ left }) => left)),
      right: Math.max(...all.map(({ right }) => right)),
    }),
  ],
])('a red line %s strikes the texts of all cells', (_, join) => {
  const plain = readRows({ sectionB: SECTION_B })
  const { document, codes } = readRows({ sectionB: SECTION_B, change: joinStrikes(join) })
  expect(codes).toEqual([])
  expect(document.section_b).toEqual(plain.document.section_b)
  const struck = document.section_b.map(({ provenance }) => provenance.is_visual_cancelled)
  expect(struck).toEqual([true, false, false])
})
