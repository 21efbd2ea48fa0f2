/** Reads amounts of won in digits, Hangul or Hanja numerals, or mixed forms. */
import { squeeze } from './normal-text.ts'

/** Hanja of amounts, and the Hangul at the same place. Ordinary and formal numerals are both printed. */
const HANJA = '一壹壱二貳弐三參参叁四五六七八九十拾百千仟萬万億兆零金整正伍陸柒漆捌玖佰阡'
const THEIR_HANGUL = '일일일이이이삼삼삼삼사오육칠팔구십십백천천만만억조영금정정오육칠칠팔구백천'
const hangulOf = (text: string): string =>
  text.replace(/\p{Script=Han}/gu, (sign) => THEIR_HANGUL[HANJA.indexOf(sign)] ?? sign)

const DIGITS = '일이삼사오육칠팔구'
const SMALL_UNITS: Readonly<Record<string, number>> = { 십: 10, 백: 100, 천: 1000 }
const LARGE_UNITS: Readonly<Record<string, number>> = { 만: 1e4, 억: 1e8, 조: 1e12 }
const FOREIGN =
  /미화|미국화|일본국?법?화|엔화|유로화|중국법?화|달러|위안|파운드|프랑|[\d천만억]\s*(?:엔|유로)|USD|JPY|EUR|CNY|HKD|GBP|[$¥€£]/

/** Reads digits with or without commas. After a comma, other than three digits show that one is missing: NaN. */
const readDigits = (text: string): number =>
  /^\d+(,\d{3})*$/.test(text) ? Number(text.replace(/,/g, '')) : Number.NaN

const UNITS_OF_GROUP = [...'천백십'].map((unit) => `(?:(?:[\\d,]+|[${DIGITS}])?${unit})?`).join('')
const GROUP = `${UNITS_OF_GROUP}(?:[\\d,]+|[${DIGITS}영공])?`
/** Matches numerals whose units follow each other downwards. Only the first group may be a unit alone. */
const IN_ORDER = new RegExp(
  `^(?!.*(?:조[억만]|억만|(?<![\\d,])[0영공][천백십만억조]))(?:${GROUP}조)?(?:${GROUP}억)?(?:${GROUP}만)?${GROUP}$`,
)

/**
 * Reads Hangul numerals, which may contain digits: `사천팔백만` is 48,000,000, `1억2,000만` is 120,000,000. Null for other
 * texts, and for numerals in which a sign is missing or too many, such as `일이삼`.
 */
export const readNumeral = (text: string): number | null => {
  if (!IN_ORDER.test(text)) return null
  let total = 0
  let section = 0
  let digit = 0
  for (const [sign] of text.matchAll(/[\d,]+|./gu)) {
    const small = SMALL_UNITS[sign]
    const large = LARGE_UNITS[sign]
    if (/\d/.test(sign)) digit = readDigits(sign)
    else if (sign === '영' || sign === '공') digit = 0
    else if (DIGITS.includes(sign)) digit = DIGITS.indexOf(sign) + 1
    else if (small !== undefined) {
      section += (digit || 1) * small
      digit = 0
    } else if (large !== undefined) {
      total += (section + digit || 1) * large
      section = 0
      digit = 0
    } else return null
  }
  return text === '' ? null : total + section + digit
}

export type Money =
  | Readonly<{ kind: 'won'; value: number; raw: string }>
  | Readonly<{ kind: 'foreign'; raw: string }>
  /** In 환, the currency from 1953 to 1962. */
  | Readonly<{ kind: 'old'; raw: string }>

const NUMERAL = '([\\d,일이삼사오육칠팔구영공십백천만억조\\s]+)'
const PERIOD = '(?:(?:매?월|매?년|연)\\s*)?'
/** The sign 금 before the amount may be missing, or begin with 일: `일금 일억원정`. */
const WON = new RegExp(`${PERIOD}(?:일\\s*)?금${NUMERAL}원(?:\\s*정)?`)
const HWAN = /[\d천백십만억조일이삼사오육칠팔구]\s*(?:환|圜)(?:\s*[정整])?(?![가-힣])/
const BARE_WON = new RegExp(`^${PERIOD}(\\d[\\d,천백십만억조]*)\\s*원(?:\\s*정)?$`)

/** The amount that a value names: `금240,000,000원`, `금일억이천만원정`, `金壹億원`. Null when it names none. */
export const readMoney = (printed: string): Money | null => {
  const text = printed.trim()
  if (FOREIGN.test(text)) return { kind: 'foreign', raw: text }
  const hangul = hangulOf(text)
  if (HWAN.test(hangul)) return { kind: 'old', raw: text }
  const found = WON.exec(hangul) ?? BARE_WON.exec(hangul)
  if (found === null) return null
  const value = readNumeral(squeeze(found[1] ?? ''))
  if (value === null || !Number.isSafeInteger(value)) return null
  return { kind: 'won', value, raw: text.slice(found.index, found.index + found[0].length).trim() }
}

/** Whether the text is an amount of won with the sign 금 and nothing else. */
export const isOnlyAmount = (text: string): boolean => {
  const money = /[금金]/.test(text) ? readMoney(text) : null
  return money?.kind === 'won' && money.raw === text.trim()
}

/** The number of won that a text states a second time, such as `(일억원)` after `금100,000,000원`. Null for other texts. */
export const readRepeated = (text: string): number | null => {
  const found = /^\(?금?([\d,일이삼사오육칠팔구영공십백천만억조]+)원정?\)?$/.exec(
    hangulOf(squeeze(text)),
  )
  return found === null ? null : readNumeral(found[1] ?? '')
}
