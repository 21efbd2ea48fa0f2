/** Converts a page of a scan to the form that a PDF page has for the parser: pieces of text and lines, in points. */
import type { ScanWork } from '#pdf/protocol.ts'
import type { HorizontalLine, PageContent, TextPiece } from '#registry/page-content.ts'
import type { CleanPage } from './clean-page.ts'
import type { OcrEngine, ReadText } from './engine.ts'
import { findLostText } from './lost-text.ts'
import { createSegmentReader } from './read-segment.ts'
import type { Line } from './red-strikes.ts'
import { type Box, findSegments } from './segments.ts'
import { LEAST_CONFIDENCE } from './stretch-reader.ts'

/** The distance from the middle of a line of Hangul to its baseline, as a share of its height. */
const BASELINE_BELOW_MIDDLE = 0.36
const TEXT_SIZE = 10
const LARGE_TEXT = 12.6
/** Confidence of OCR, 0 to 100, below which mistakes are likely. */
const DOUBTFUL = 85
/** A heading. The engine is never sure of it, because its letters are far apart. */
const HEADING = /^[【[({].*[가-힣].*[】\])}]$/
const TEXT = /[가-힣A-Za-z\d()*【】]/

const toPiece = (
  box: Box,
  { text, confidence }: ReadText,
  { raster, unit }: CleanPage,
): TextPiece => {
  const height = (box.bottom - box.top + 1) / unit
  const size = height > LARGE_TEXT ? height * 1.08 : TEXT_SIZE
  const middle = (box.top + box.bottom + 1) / 2
  return {
    text: text.replace(/\s+/g, ' '),
    left: box.left / unit,
    right: (box.right + 1) / unit,
    baseline: (raster.height - middle) / unit - BASELINE_BELOW_MIDDLE * size,
    size,
    ...(confidence < DOUBTFUL && { isDoubtful: true }),
  }
}

const toLine = ({ left, right, y, isRed }: Line, { raster, unit }: CleanPage): HorizontalLine => ({
  left: left / unit,
  right: (right + 1) / unit,
  y: (raster.height - y) / unit,
  isRed,
})

/** Sums over the letters of a page. */
export type Letters = Readonly<{ count: number; doubtful: number }>
export type RecognisedPage = Readonly<{ content: PageContent; letters: Letters }>

type Found = Readonly<{ box: Box; said: ReadText }>

const isRead = ({ said: { text, confidence } }: Found): boolean =>
  TEXT.test(text) && (confidence >= LEAST_CONFIDENCE || HEADING.test(text))

const toPlace = ({ left, top, right, bottom }: Box, { unit }: CleanPage) =>
  [left / unit, top / unit, (right + 1) / unit, (bottom + 1) / unit] as const

const countLetters = (found: readonly Found[]): Letters =>
  found.reduce<Letters>(
    (known, { said: { text, confidence } }) => ({
      count: known.count + text.length,
      doubtful: known.doubtful + (confidence < DOUBTFUL ? text.length : 0),
    }),
    { count: 0, doubtful: 0 },
  )

/** @param number of the page, from 1 */
export const recognisePage = (
  engine: OcrEngine,
  page: CleanPage,
  { number, accuracy }: Readonly<{ number: number }> & Pick<ScanWork, 'accuracy'>,
): RecognisedPage => {
  const { texts: boxes, large } = findSegments(page.raster, page.unit)
  const reader = createSegmentReader(engine, page, accuracy, boxes)
  const read = boxes.map((box) => ({ box, said: reader.read(box) }))
  const found = read.filter(isRead)
  const unread = read.filter((one) => !isRead(one)).map(({ box }) => box)
  const lost = findLostText({ unread, large }, page)
  const { count, doubtful } = countLetters(found)
  return {
    content: {
      number,
      width: page.raster.width / page.unit,
      height: page.raster.height / page.unit,
      texts: found.map(({ box, said }) => toPiece(box, said, page)),
      lines: page.lines.map((line) => toLine(line, page)),
      ...(lost.boxes.length > 0 && { notRead: lost.boxes.map((box) => toPlace(box, page)) }),
    },
    letters: { count: count + lost.letters, doubtful: doubtful + lost.letters },
  }
}
