/** Unifies the many ways in which print and OCR write one sign, so that the parser sees only one of them. */
const DASHES = /[\u2010-\u2015\u2212\uFF0D]/g
/** Includes control characters, which fonts without a mapping for the blank produce. */
const BLANKS = /[\p{Zs}\p{Zl}\p{Zp}\p{Cc}]/gu
const NOTHING = /[\u200B-\u200D\u2060\uFEFF]/g
const FULL_WIDTH = /[\uFF01-\uFF5E]/g

/** Normalises a text: composed Hangul, plain blanks, ASCII digits and brackets, `㎡` for square metres. */
export const normaliseText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(NOTHING, '')
    .replace(BLANKS, ' ')
    .replace(DASHES, '-')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\u2731/g, '*')
    .replace(/(\d)\s*m[²2](?!\d)/g, '$1㎡')

/** Removes all blanks. Headings are letter-spaced, so they are compared this way. */
export const squeeze = (text: string): string => text.replace(/\s+/g, '')

/** Returns null for an empty text. */
export const orNull = (text: string): string | null => (text === '' ? null : text)

/** The width of a text in the fixed pitch of the print: 1 for an ASCII character, 2 for any other. */
export const halfWidths = (text: string): number => {
  let units = 0
  for (const sign of text) units += (sign.codePointAt(0) ?? 0) < 0x80 ? 1 : 2
  return units
}
