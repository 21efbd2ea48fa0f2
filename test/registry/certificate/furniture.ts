import {
  type ClockTime,
  type Day,
  halfDayTime,
  loose,
  slashed,
  tightPadded,
  tightTime,
} from './calendar.ts'
import { LEFT, SIZE } from './grid.ts'
import { drawCentred, drawSpaced, drawText, type Sheet, widthAt } from './sheet.ts'

/** What every page of one certificate says about it. */
export type Imprint = {
  readonly titleLine: string
  /** `- 토지 -`; null where the first line says it (before 2011). */
  readonly kindLine: string | null
  readonly uniqueNumber: string
  readonly propertyLine: string
  readonly jurisdiction: string
  readonly day: Day
  readonly time: ClockTime
  readonly issueNumber: string
  readonly confirmationNumber: string
}

const TITLE_SIZE = 17
const RIGHT_EDGE = 564.793
/** The middle of a page, where titles and page numbers stand. */
const CENTRE: readonly [number, number] = [320.063 - 100.05, 320.063 + 99.95]
const NUMBER_CENTRE: readonly [number, number] = [304.716 - 50.05, 304.716 + 49.95]

const drawRight = (
  sheet: Sheet,
  text: string,
  right: number,
  baseline: number,
  size = SIZE,
): void => drawSpaced(sheet, text, right - widthAt(text, size), baseline, size)

const drawWatermark = (sheet: Sheet, baseline: number): void => {
  if (sheet.style.watermark === 'none') return
  const left = 195.668
  if (sheet.style.watermark === 'whole') {
    drawText(sheet, '열 람 용', left, baseline, 52)
    return
  }
  for (const [index, sign] of [...'열람용'].entries()) {
    drawText(sheet, sign, left + index * 78, baseline, 52)
  }
}

const drawFoot = (sheet: Sheet, imprint: Imprint, pageCount: number): void => {
  const number = `${sheet.number}/${pageCount}`
  if (!sheet.style.isIssued) {
    const when = `${tightPadded(imprint.day)} ${tightTime(imprint.time)}`
    drawText(sheet, `열람일시 : ${when}`, LEFT, 53.385, SIZE)
    drawCentred(sheet, number, NUMBER_CENTRE, 40.502)
    return
  }
  drawText(sheet, `발행번호 ${imprint.issueNumber}`, LEFT, 40.502, 8)
  drawCentred(sheet, number, NUMBER_CENTRE, 40.502)
  drawText(sheet, `발급확인번호 ${imprint.confirmationNumber}`, 340.406, 40.502, 8)
  drawText(sheet, `발행일 ${slashed(imprint.day)}`, 485, 40.502, 8)
}

/** Furniture comes before the tables in every page. */
export const drawFurniture = (
  sheet: Sheet,
  imprint: Imprint,
  place: { readonly pageCount: number },
): void => {
  const isFirst = sheet.number === 1
  const isLast = sheet.number === place.pageCount
  if (isFirst) {
    drawCentred(sheet, imprint.titleLine, CENTRE, 758.22, TITLE_SIZE)
    if (imprint.kindLine !== null) {
      drawCentred(sheet, imprint.kindLine, CENTRE, 733.553, TITLE_SIZE)
    }
    drawRight(sheet, `고유번호 ${imprint.uniqueNumber}`, RIGHT_EDGE, 708.419)
  }
  const propertyBaseline = isFirst ? 671.389 : isLast ? 757.839 : 754.589
  drawText(sheet, imprint.propertyLine, LEFT, propertyBaseline, SIZE)
  drawWatermark(sheet, isFirst || isLast ? 451.326 : 433.776)
  drawFoot(sheet, imprint, place.pageCount)
}

const END_SIGNS = [
  ['--', 239.668],
  ['이', 259.668],
  ['하', 284.668],
  ['여', 309.668],
  ['백', 334.668],
  ['--', 354.668],
] as const

/** End mark, office and notes, below the last table of the body. */
export const drawTrailer = (sheet: Sheet, imprint: Imprint, tableEnd: number): void => {
  const baseline = tableEnd - 16.98
  for (const [sign, left] of END_SIGNS) drawText(sheet, sign, left, baseline, SIZE)
  drawRight(sheet, `관할등기소  ${imprint.jurisdiction}`, RIGHT_EDGE, baseline - 24.7)
  drawText(sheet, '* 실선으로 그어진 부분은 말소사항을 표시함.', 24.346, 136.374, 9)
  drawText(sheet, '* 기록사항 없는 갑구, 을구는 ‘기록사항 없음’으로 표시함.', 314.964, 136.374, 9)
  drawText(sheet, '* 증명서는 컬러 또는 흑백으로 출력 가능함.', 24.346, 124.041, 9)
  if (sheet.style.isIssued) {
    drawIssueNotes(sheet, imprint)
    return
  }
  const notice =
    '* 본 등기사항증명서는 열람용이므로 출력하신 등기사항증명서는 법적인 효력이 없습니다.'
  drawText(sheet, notice, 24.346, 106.328, SIZE)
}

const drawIssueNotes = (sheet: Sheet, imprint: Imprint): void => {
  drawText(sheet, '이 증명서는 등기기록의 내용과 틀림없음을 증명합니다.', 24.346, 110, 9)
  drawText(sheet, `서기 ${loose(imprint.day)}`, 314.964, 110, 9)
  drawSpaced(sheet, '법원행정처 등기정보중앙관리소   전산운영책임관', 314.964, 97, 9)
  const check =
    '[인터넷 발급] 문서 하단의 바코드를 스캐너로 확인하거나, 인터넷등기소의 발급확인 메뉴에서 발급확인번호를'
  drawText(sheet, check, 24.346, 70, 8)
  drawText(sheet, '입력하여 위·변조 여부를 확인할 수 있습니다.', 24.346, 60, 8)
}

export const printTime = (imprint: Imprint): string =>
  `출력일시 : ${loose(imprint.day)} ${halfDayTime(imprint.time)}`
