/** Matches `850101-*******`, `580213-1******`, `******-*******`, `110111-0000002`, and the ten digits of a business. */
const REGISTRATION =
  /(?<![\d*○●-])(?:(\d[\d*○●xX]{5}|[*○●xX]{6})\s*-\s*([\d*○●xX]{7})|(\d{3}-\d{2}-\d{5}))(?![\d*○●-])/
const RANK = /^\d{1,4}(?:-\d{1,3}){0,4}$/
const PREVIOUS = /\(\s*전\s*(\d+(?:-\d+)*)\s*\)/
const UNIQUE = /(?<!\d)(\d{4})\s?-\s?(\d{4})\s?-\s?(\d{6})(?!\d)/
const RECEIPT = /[제第]\s*(\d{1,7}(?:-\d+)?)\s*[호號号]((?:의\s*\d+)?)/

/** Finds a resident number, whose last digits may be masked, or a business number. @returns null without one */
export const findRegistrationNumber = (text: string): string | null => {
  const found = REGISTRATION.exec(text)
  if (found === null) return null
  const [, birth, rest, business] = found
  return business ?? `${birth}-${rest}`
}

/** Splits a text at its first resident or business number, or before its end if it has none. */
export const splitAfterNumber = (
  text: string,
): Readonly<{ before: string; number: string | null; after: string }> => {
  const found = REGISTRATION.exec(text)
  if (found === null) return { before: text, number: null, after: '' }
  return {
    before: text.slice(0, found.index),
    number: findRegistrationNumber(text),
    after: text.slice(found.index + found[0].length),
  }
}

const NUMBER_WORD =
  '(?:(?:외국인|부동산등기용|주민|법인|사업자|단체)?\\s?등록번호|(?:국내)?거소신고번호|납세번호|고유번호|여권번호|생년월일)'
/** The word that some prints put before a number: 외국인등록번호, 부동산등기용등록번호. */
export const NUMBER_LABEL = new RegExp(`\\s*${NUMBER_WORD}\\s*:?\\s*$`)
/** The name before a number, without the word and the bracket of the number. */
export const withoutNumberLabel = (name: string): string =>
  name
    .replace(NUMBER_LABEL, '')
    .replace(/\(\s*$/, '')
    .trim()

const LABELLED_NUMBER = new RegExp(`^[(（]?\\s*${NUMBER_WORD}\\s*:?\\s*(\\S.*?)\\s*[)）]?$`)

/**
 * Reads a line that states the number of a holder by its word: `사업자등록번호 110-84-12345`.
 * @returns the number, or null for one that is not of a person or company, such as that of a passport; `isWhole` if the line has
 * nothing else; null for another line
 */
export const readLabelledNumber = (
  text: string,
): Readonly<{ number: string | null; isWhole: boolean }> | null => {
  const value = LABELLED_NUMBER.exec(text)?.[1]
  if (value === undefined) return null
  const { before, number, after } = splitAfterNumber(value)
  return { number, isWhole: before.trim() === '' && after.trim() === '' }
}

/** Whether the text is a rank number, such as `3` or `3-1`. */
export const isRank = (text: string): boolean => RANK.test(text)

/** The rank from before the register was computerised: `(전 7-1)` → `7-1`. */
export const findPreviousRank = (text: string): string | null => PREVIOUS.exec(text)?.[1] ?? null

/** Finds the unique number of a property. @returns null without one */
export const findUniqueNumber = (text: string): string | null =>
  UNIQUE.exec(text)?.slice(1).join('-') ?? null

/** `제33814호` → `33814호`. Empty if there is no receipt number. */
export const findReceiptNumber = (text: string): string => {
  const found = RECEIPT.exec(text)
  return found === null ? '' : `${found[1]}호${found[2]}`
}

/** Kinds of court cases, with the blank at which a line may break between their letters. */
const CASE_KIND =
  '타 ?[경채기]|카 ?[단합기임전]|즈 ?[단합]|차 ?전|가 ?[단합]|[개회] ?회|[회하] ?합|하 ?단'
const CASE = new RegExp(`(?<!\\d)(?:\\d{4}|\\d{2}) ?(?:${CASE_KIND}) ?\\d`, 'g')

/** Removes the blanks at which the lines of a cell broke the number of a case: `(2006 타경4444)`. */
export const withWholeCaseNumbers = (text: string): string =>
  text.replace(CASE, (found) => found.replaceAll(' ', ''))
