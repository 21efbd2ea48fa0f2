/**
 * Reads one stretch of text. Its width gives the number of characters. If the result
 * of the engine does not fit it, the text is read again in another way.
 */
import type { ScanWork } from '#pdf/protocol.ts'
import { NUMBERS_RIGHT } from '#registry/scan/correct-page.ts'
import type { OcrEngine, ReadText } from './engine.ts'
import { metreByWidth } from './metre-by-width.ts'
import {
  isLikeDate,
  overruled,
  readDate,
  readNumber,
  readRank,
  readUniqueNumber,
} from './read-numbers.ts'
import type { Box } from './segments.ts'
import { isBelieved } from './special-signs.ts'
import { createStretchReader, type ReadPage } from './stretch-reader.ts'

/** The number of the property follows its label, alone at its end of the line. */
const UNIQUE_NUMBER = /^고유번호/
/** Text that continues a number, so that what looked like ㎡ before it is a digit. The next floor may follow ㎡. */
const GOES_ON = /^(?!\d+층)[\d년월일번호]/

const isNumeric = (text: string): boolean => {
  const signs = text.replace(/\s/g, '')
  const digits = signs.replace(/\D/g, '').length
  return digits >= 2 && digits >= signs.length * 0.6 && !/[가-힣]/.test(signs)
}

export type SegmentReader = Readonly<{ read: (box: Box) => ReadText }>

/**
 * Creates the reader of one page's segments. The accuracy decides how often a doubtful segment is read again.
 * @param boxes all segments that will be read
 */
export const createSegmentReader = (
  engine: OcrEngine,
  page: ReadPage,
  accuracy: ScanWork['accuracy'],
  boxes: readonly Box[],
): SegmentReader => {
  const reader = createStretchReader(engine, page, boxes)
  const isThorough = accuracy === 'high'
  const readSigns = (box: Box): ReadText => {
    const first = reader.readFirst(box)
    const { text } = first.text
    if (isLikeDate(text)) return readDate(reader, box, first.text)
    if (box.right / page.unit <= NUMBERS_RIGHT && !/[가-힣]{2}/.test(text)) {
      return readRank(reader, box, first)
    }
    if (isNumeric(text)) return readNumber(reader, box, first, isThorough)
    if (UNIQUE_NUMBER.test(text)) return readUniqueNumber(reader, box, first.text)
    return isThorough ? overruled(reader, box, first.text, null) : first.text
  }
  const readPart = (box: Box): ReadText => {
    const { text, confidence } = readSigns(box)
    return { text: metreByWidth(text, (other) => reader.missOf(other, box)), confidence }
  }
  const read = (box: Box): ReadText => {
    for (const sign of reader.signsIn(box)) {
      if (sign.left - box.left < page.unit * 4) continue
      const before = readPart({ ...box, right: sign.left - 1 })
      if (!isBelieved(sign, before.text)) continue
      const rest = { ...box, left: sign.right + 1 }
      const isEnd = rest.right - rest.left < page.unit * 2
      const after = isEnd ? null : read(rest)
      if (sign.text === '㎡' && GOES_ON.test(after?.text ?? '')) continue
      const number = before.text.replace(/([\d.,])\s+(?=[\d.,]+$)/g, '$1')
      return {
        text: `${number}${sign.text}${after?.text ?? ''}`,
        confidence: Math.min(before.confidence, after?.confidence ?? 100),
      }
    }
    return readPart(box)
  }
  return { read }
}
