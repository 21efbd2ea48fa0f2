/** Reads shares of ownership and land right ratios. */
import { inHangul } from './hanja.ts'

/** Its lengths are bounded, because a search from each digit of a long number takes time that grows with the square of its length. */
const NUMBER = '((?:\\d{1,3}(?:,\\d{3}){1,6}|\\d{1,20})(?:\\.\\d+)?)'
const SHARE = new RegExp(`${NUMBER}\\s*분[의지]\\s*${NUMBER}`)
/** A share of a share, such as `2분의 1 중 3분의 1`, is none of the two that it names. */
const SHARE_OF_SHARE = /분[의지].{0,20}중.{0,20}분[의지]/
/** Matches a share by itself: `지분 3분의 2`, `지분 33㎡ 중 11㎡`, `3분의 2`, `(지분 3분의 2)`. */
const SHARE_TEXTS: readonly RegExp[] = [
  /^지분\s*:?\s*(?:각\s*)?(?:[\d.,]+|[일이삼사오육칠팔구십백천만一二三四五六七八九十百千萬]+)\s*(?:분[의지]|\/|㎡|평)/,
  /^\(?[\d,]+\s*분의\s*[\d.,]+\)?$/,
  /^\(지분\s*:?\s*[\d.,]+\s*분[의지]\s*[\d.,]+\)$/,
]

export type Share = Readonly<{
  /** As printed: `3분의 2`. */
  text: string
  numerator: number | null
  denominator: number | null
}>

/** Whether the text is a share and nothing else. */
export const isShareText = (text: string): boolean => {
  const hangul = inHangul(text)
  return SHARE_TEXTS.some((pattern) => pattern.test(hangul))
}

const NAME_AND_SHARE = /^([^()]+?)\s*(\([지持]\s?[분分][^()]+\))\s*(.*)$/

/** Splits a text at the share in brackets behind a name: `한누리(지분 3분의 1)`. @returns null without one */
export const splitAtShare = (
  text: string,
): Readonly<{ name: string; share: string; after: string }> | null => {
  const [, name, share, after = ''] = NAME_AND_SHARE.exec(text) ?? []
  if (name === undefined || share === undefined || !isShareText(share)) return null
  return { name, share, after }
}

/** Reads a share. The denominator comes first: `3분의 2` is two thirds. A part that is not a whole number becomes null. */
export const readShare = (printed: string): Share | null => {
  const text = inHangul(printed)
  if (SHARE_OF_SHARE.test(text)) return null
  const found = SHARE.exec(text)
  if (found === null) return null
  const [, below = '', above = ''] = found
  const whole = (part: string) => {
    const digits = part.replace(/,/g, '')
    return /^\d+$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : null
  }
  return { text: `${below}분의 ${above}`, numerator: whole(above), denominator: whole(below) }
}

export type LandRatio = Readonly<{
  /** As printed: `25455.4분의 67.06`. */
  text: string
  /** Square metres of the land. */
  landArea: number
  /** Square metres of the right to it. */
  part: number
}>

const LAND_RATIO = /(?<![\d.,])([\d.,]+)\s*분의\s*([\d.,]+)/g

/** Reads ratios such as `25455.4분의 67.06`. A row may state one for each land. */
export const readLandRatios = (text: string): readonly LandRatio[] =>
  [...text.matchAll(LAND_RATIO)].flatMap(([, below = '', above = '']) => {
    const [landArea, part] = [below, above].map((digits) => Number(digits.replace(/,/g, '')))
    if (!Number.isFinite(landArea) || !Number.isFinite(part)) return []
    return [{ text: `${below}분의 ${above}`, landArea: landArea ?? 0, part: part ?? 0 }]
  })
