/** Reads stretches with a fixed grammar: ranks, dates and numbers. Characters that the grammar decides are marked as doubtful. */
import type { ReadText } from './engine.ts'
import type { Box } from './segments.ts'
import {
  better,
  LEAST_CONFIDENCE,
  PLAIN,
  type Reading,
  type StretchReader,
  SURE,
  UNLIKELY,
  type Variant,
} from './stretch-reader.ts'
import { overrule, vote } from './vote.ts'

/** The confidence stated for text that was read by its grammar, in percent. */
const DOUBTED = 80
const NUMBERS = '0123456789-.,/'
const ONLY_NUMBERS = /^[\d\s.,/-]+$/
const RANKS = '0123456789-()전'
const RANK_DIGITS = '0123456789-'
/** A 1 without a foot. The remains of a rule are higher. Heights are in points. */
const LONE_STROKE = /^[1|lIㅣ!]$/
const [LOWEST_DIGIT, HIGHEST_DIGIT] = [4.5, 8.5] as const
/** A date in which one character may be misread. It is read again with only the characters of a date. */
const DATE_SIGNS = '0123456789년월일'
const LIKE_DATE = /^[12]\d{3}\D{0,3}\d{0,2}\D{0,2}\d{0,2}[일읽엘임]$/
const DATE = /^[12]\d{3}년\s*(?:[1-9]|0[1-9]|1[0-2])월\s*(?:[1-9]|0[1-9]|[12]\d|3[01])일$/
/** Blanks between the label of the property's number and the number. They are cut off with the label. */
const UNIQUE_NUMBER_GAP = 0.6
const UNIQUE_DIGITS = 14
const UNIQUE_PARTS = /^(\d{4})(\d{4})/
/** The engine sometimes reads the first digit of a stretch twice. The width shows that there is one too many. */
const DOUBLED = /^(\d)\1/
const ONE_TOO_MANY = [0.6, 1.4] as const

/** A thin hyphen is lost first. Between two digits there is only one place for it. */
const TWO_DIGITS = /^(\d)\s?(\d)$/
/** Percent. Below this the engine is more often wrong than right. */
const UNSURE = 50

/** A single digit of a coarse scan, enlarged, with much white around it. */
const ENLARGED: Variant = { margin: 5, isLarge: true, mode: 'letter' }

const isRankLike = (text: string): boolean => /^\(?전?\s*\d{1,3}(-\d{1,3})*\)?$/.test(text.trim())

/** Whether a text is a date in which a character was misread. */
export const isLikeDate = (text: string): boolean =>
  LIKE_DATE.test(text.replace(/\s/g, '')) && !DATE.test(text)

const doubted = (text: string, { confidence }: ReadText): ReadText => ({
  text,
  confidence: Math.min(confidence, DOUBTED),
})

export const readRank = (reader: StretchReader, box: Box, first: Reading): ReadText => {
  const hyphened = first.text.text.replace(TWO_DIGITS, '$1-$2')
  const missed =
    hyphened === first.text.text ? Number.POSITIVE_INFINITY : reader.missOf(hyphened, box)
  const isApart = /\s/.test(first.text.text) && missed < UNLIKELY
  if (isApart || (missed < first.miss && first.text.confidence < UNSURE)) {
    return doubted(hyphened, first.text)
  }
  if (isRankLike(first.text.text) && first.miss < UNLIKELY) return first.text
  const tries = [
    { signs: RANKS, variant: PLAIN },
    { signs: RANK_DIGITS, variant: PLAIN },
    { signs: RANK_DIGITS, variant: { ...PLAIN, mode: 'letter' } },
  ] as const
  for (const { signs, variant } of tries) {
    const other = reader.read(box, signs, variant)
    if (isRankLike(other.text.text) && other.miss < 1) {
      const isTooShort = other.miss >= UNLIKELY && missed < UNLIKELY
      return isTooShort ? doubted(hyphened, first.text) : other.text
    }
  }
  // the engine states no confidence in a digit that a strike has thinned
  const enlarged = reader.read(box, RANK_DIGITS, ENLARGED)
  if (isRankLike(enlarged.text.text) && enlarged.miss < UNLIKELY) {
    return { ...enlarged.text, confidence: Math.max(enlarged.text.confidence, LEAST_CONFIDENCE) }
  }
  const height = (box.bottom - box.top + 1) / reader.unit
  const isDigitHigh = height >= LOWEST_DIGIT && height <= HIGHEST_DIGIT
  return isDigitHigh && LONE_STROKE.test(first.text.text) ? doubted('1', first.text) : first.text
}

export const readDate = (reader: StretchReader, box: Box, first: ReadText): ReadText => {
  const again = [reader.read(box, DATE_SIGNS), ...reader.readAgain(box, DATE_SIGNS)]
  const found = again.find(({ text }) => DATE.test(text.text))
  return found === undefined ? first : doubted(found.text.text, first)
}

const texts = function* (readings: Iterable<Reading>): Generator<ReadText> {
  for (const { text } of readings) yield text
}

/** Lets further readings overrule a first one, if their text fits as well. @param signs null allows any */
export const overruled = (
  reader: StretchReader,
  box: Box,
  first: ReadText,
  signs: string | null,
): ReadText => {
  const most = reader.missOf(first.text, box) + UNLIKELY
  const isFitting = (text: string): boolean => reader.missOf(text, box) <= most
  return overrule(first, texts(reader.readAgain(box, signs)), isFitting)
}

/** Reads further variants of a stretch if the engine saw nothing in it, until it sees something that fits. */
const seen = (reader: StretchReader, box: Box, first: Reading): Reading => {
  if (first.text.confidence >= LEAST_CONFIDENCE) return first
  let best = first
  for (const other of reader.readAgain(box, NUMBERS)) {
    best = better(best, other)
    if (best.text.confidence >= LEAST_CONFIDENCE && best.miss < UNLIKELY) break
  }
  return best
}

const withoutDouble = (reader: StretchReader, box: Box, read: ReadText): ReadText => {
  const excess = reader.excessOf(read.text, box)
  const [least, most] = ONE_TOO_MANY
  const isDoubled = DOUBLED.test(read.text) && excess >= least && excess <= most
  return isDoubled ? doubted(read.text.slice(1), read) : read
}

/** @param isThorough whether to read again even what the engine is sure of */
export const readNumber = (
  reader: StretchReader,
  box: Box,
  first: Reading,
  isThorough: boolean,
): ReadText => {
  const isFitting = first.miss < UNLIKELY && ONLY_NUMBERS.test(first.text.text)
  const fitting = isFitting ? first : better(first, reader.read(box, NUMBERS))
  const { text } = seen(reader, box, fitting)
  const isSure = text.confidence >= SURE && !isThorough
  return withoutDouble(reader, box, isSure ? text : overruled(reader, box, text, NUMBERS))
}

/** Reads 고유번호 and its number. Everything depends on it, and a page has it only once, so it is read in every way. */
export const readUniqueNumber = (reader: StretchReader, box: Box, first: ReadText): ReadText => {
  const name = 4 * reader.widths.wide + UNIQUE_NUMBER_GAP * reader.widths.blank
  const left = box.left + Math.round(name * reader.unit)
  if (left >= box.right) return first
  const part = { ...box, left }
  const readings = [reader.read(part, NUMBERS).text, ...texts(reader.readAgain(part, NUMBERS))]
  const digits = readings.map((one) => ({ ...one, text: one.text.replace(/\D/g, '') }))
  const whole = digits.filter(({ text }) => text.length === UNIQUE_DIGITS)
  if (whole.length === 0) return first
  const { text, confidence } = vote(whole)
  // readings that agree are trusted, even if the engine is unsure of each
  const isAgreed = whole.filter((one) => one.text === text).length > 1
  const stated = isAgreed ? Math.max(confidence, UNSURE) : confidence
  return { text: `고유번호 ${text.replace(UNIQUE_PARTS, '$1-$2-')}`, confidence: stated }
}
