import type { SourceContent } from '#core/registry/page-content.ts'
import { type Certificate, toSource } from './generate-certificate.ts'
import { createRandom } from './random.ts'
import { createSheet, drawCentred, drawSpaced, drawText, finishSheet } from './sheet.ts'
import { chooseStyle } from './style.ts'

const ROWS = [
  ['등기번호', '009912'],
  ['등록번호', '209911-9999999'],
  ['상  호', '주식회사누리'],
  ['본  점', '가람특별시 나래구 다솜로 12, 9층(라온동,마루빌딩)'],
  ['공고방법', '회사 인터넷 홈페이지에 게재한다'],
  ['1주의 금액', '금 5,000 원'],
  ['자본금의 액', '금 50,000,000 원'],
  ['목  적', '부동산 매매업 및 임대업'],
] as const

/**
 * A certificate of a company carries the same title line and the words 관할등기소 and 말소사항, but no property: the parser must refuse
 * it as a document of another kind.
 */
export const corporateCertificate = (): Pick<Certificate, 'drawn' | 'style'> & {
  readonly pages: SourceContent
} => {
  const { style } = chooseStyle(1, 'building', new Set(['issue_copy']))
  const sheet = createSheet(1, true, { ...style, jitter: 0, scale: 1 }, createRandom(1))
  drawCentred(sheet, '등기사항전부증명서(현재 유효사항)[제출용]', [220, 420], 758.22, 17)
  for (const [index, [label, value]] of ROWS.entries()) {
    drawSpaced(sheet, label, 29.445, 700 - index * 26, 10)
    drawText(sheet, value, 110, 700 - index * 26, 10)
    sheet.lines.push({ kind: 'rule', left: 24.296, right: 573.684, y: 691 - index * 26 })
  }
  drawSpaced(
    sheet,
    '관할등기소  하늘지방법원 등기국 / 발행등기소  하늘지방법원 등기국',
    230,
    160,
    10,
  )
  drawText(sheet, '* 실선으로 그어진 부분은 말소사항을 표시함.', 24.346, 136.374, 9)
  drawText(sheet, '발행일 2024/06/20', 485, 40.502, 8)
  const drawn = [finishSheet(sheet)]
  return { drawn, style: sheet.style, pages: toSource(drawn, sheet.style) }
}
