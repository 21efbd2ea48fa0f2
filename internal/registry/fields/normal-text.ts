/** Print and OCR write one sign in many ways; the grammar knows one of each. */
const DASHES = /[\u2010-\u2015\u2212\uFF0D]/g
/** Fonts without a map for the blank give a control character for it. */
const BLANKS = /[\p{Zs}\p{Zl}\p{Zp}\p{Cc}]/gu
const NOTHING = /[\u200B-\u200D\u2060\uFEFF]/g
const FULL_WIDTH = /[\uFF01-\uFF5E]/g

/** One spelling: composed Hangul, plain blanks, ASCII digits and brackets, `㎡` for squared metres. */
export const normaliseText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(NOTHING, '')
    .replace(BLANKS, ' ')
    .replace(DASHES, '-')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\u2731/g, '*')
    .replace(/(\d)\s*m[²2](?!\d)/g, '$1㎡')

/** Without any blank: headings are letter-spaced, so they are compared this way. */
export const squeeze = (text: string): string => text.replace(/\s+/g, '')

/** How wide a text is in the print's fixed pitch: one for ASCII, two for Hangul. */
export const halfWidths = (text: string): number => {
  let units = 0
  for (const sign of text) units += (sign.codePointAt(0) ?? 0) < 0x80 ? 1 : 2
  return units
}
