/** Reads a line of names, numbers and shares into the holders that it names. */
import { inHangul } from '../fields/hanja.ts'
import {
  findRegistrationNumber,
  NUMBER_LABEL,
  readLabelledNumber,
  splitAfterNumber,
  withoutNumberLabel,
} from '../fields/number.ts'
import { isShareText, readShare, splitAtShare } from '../fields/share.ts'
import type { CellLine } from '../tables/cell-text.ts'
import type { Segment } from './field-line.ts'
import { looksLikeAddress } from './group-fields.ts'

export type OpenPerson = {
  name: string
  number: string | null
  share: string | null
  shareText: string | null
  address: CellLine[]
  /** Whether the name follows the number of another holder on its line, as an address may as well. */
  isFurther: boolean
  /** Whether its name goes on below a line on which there was room for more. */
  isJoined: boolean
}

/** The holders so far. */
export type Holders = {
  persons: OpenPerson[]
  /** Lines about a holder that have no field. */
  asides: string[]
  /** Whether a line has text besides one name, number and share of each holder. */
  isUnclear: boolean
}

export const emptyPerson = (): OpenPerson => ({
  name: '',
  number: null,
  share: null,
  shareText: null,
  address: [],
  isFurther: false,
  isJoined: false,
})

/** The number of a local government, four digits in the place of a person's number. */
const SHORT_NUMBER = /^\d{4}$/

/** A local government and its number, separated by a single blank, such as `가람시 4106`. */
const LOCAL_GOVERNMENT = /^(\S+[시군구도])\s(\d{4})$/

/** The text between the parts of a broken name: empty, or a blank around words such as 외 and 및, and between Latin words. */
const joint = (before: string, next: string): string => {
  const isLatin = /[A-Za-z.,&]$/.test(before) && /^[A-Za-z&]/.test(next)
  return isLatin || /^(외|및)\s/.test(next) || /\s(외|및)$/.test(before) ? ' ' : ''
}

const addName = (person: OpenPerson, name: string, isApart: boolean): void => {
  const blank = isApart ? ' ' : joint(person.name, name)
  person.name = person.name === '' ? name : `${person.name}${blank}${name}`
}

/** The holder of the last line, or a new one. */
export const current = ({ persons }: Holders): OpenPerson => {
  const person = persons.at(-1) ?? emptyPerson()
  if (persons.length === 0) persons.push(person)
  return person
}

/**
 * Adds text to the last holder: a name, the rest of a broken name, or a number.
 * @param isApart whether the line before the text was broken at a blank
 */
export const addText = (holders: Holders, text: string, isApart = false): void => {
  const person = current(holders)
  const office = LOCAL_GOVERNMENT.exec(text)
  if (office !== null && person.number === null) {
    addName(person, office[1] ?? '', isApart)
    person.number = office[2] ?? null
    return
  }
  if (person.name !== '' && SHORT_NUMBER.test(text.trim())) {
    person.number ??= text.trim()
    return
  }
  const { before, number } = splitAfterNumber(text)
  const name = number === null ? before.replace(/\(\s*$/, '').trim() : withoutNumberLabel(before)
  if (number !== null) person.number ??= number
  if (name !== '') addName(person, name, isApart)
}

/** A part of a name that a wide gap may separate from its other parts: one letter, or text in brackets. */
const isPartOfName = (text: string): boolean => text.length === 1 || /^[(（]/.test(text)

/** Adds a text that follows others on its line. The number of a holder is its end. */
const addFurther = (holders: Holders, text: string): void => {
  const person = current(holders)
  const { before } = splitAfterNumber(text)
  const isName = before.trim() !== '' && !/\d/.test(before) && !looksLikeAddress(text)
  const isOnlyNumber = before.trim() === '' || SHORT_NUMBER.test(text.trim())
  if (person.name === '' || isPartOfName(text)) addText(holders, text)
  else if (person.number !== null && isName) {
    holders.persons.push({ ...emptyPerson(), isFurther: true })
    addText(holders, text)
  } else if (person.number === null && isOnlyNumber) addText(holders, text)
  else {
    holders.isUnclear = true
    if (person.number === null && isName) addText(holders, text)
  }
}

export const addShare = ({ persons }: Holders, text: string, isFurther: boolean): void => {
  const last = persons.at(-1)
  const isOfLast = isFurther && last !== undefined && last.share === null
  if (last === undefined || (!isOfLast && (last.name !== '' || last.share !== null))) {
    persons.push(emptyPerson())
  }
  const person = persons.at(-1) ?? emptyPerson()
  person.share = readShare(text)?.text ?? text.replace(/^(?:지분|持分)\s*:?\s*/, '')
  person.shareText = text
}

/** A share with the name of its holder behind a single blank. */
const SHARE_AND_NAME = /^(지분\s*:?\s*(?:각\s*)?[\d.,]+\s*분[의지]\s*[\d.,]+)\s+(?!중\s)\S/

/** A name with the number of a passport or a date of birth behind it, which may be in brackets. */
const NAME_AND_ASIDE = /^([^\s(][^(]*?)\s*([\s(](?:여권번호|생년월일)\s*:?\s*[^\s)].*)$/

/** Whether the text is a number that is not of a person or company, such as that of a passport. */
const isAside = (text: string): boolean => readLabelledNumber(text)?.number === null

/** The parts of a text in which holders follow each other: each ends with its number. */
const holdersIn = (text: string): readonly string[] => {
  const [, name, aside] =
    findRegistrationNumber(text) === null ? (NAME_AND_ASIDE.exec(text) ?? []) : []
  if (name !== undefined && aside !== undefined && isAside(aside.trim()))
    return [name, aside.trim()]
  const end = SHARE_AND_NAME.exec(inHangul(text))?.[1]?.length
  if (end !== undefined) return [text.slice(0, end), ...holdersIn(text.slice(end).trim())]
  const named = splitAtShare(text)
  if (named !== null) {
    const behind = named.after === '' ? [] : holdersIn(named.after)
    return [...holdersIn(named.name), named.share, ...behind]
  }
  const { number, before, after } = splitAfterNumber(text)
  const rest = after.replace(/^[\s,)]+/, '')
  return number === null || rest === '' ? [text] : [`${before}${number}`, ...holdersIn(rest)]
}

/** The office that acts for a holder, on the line of the holder: `국 처분청 나래세무서`, `국(관리청 : 국토교통부)`. */
const OFFICE = /(?:^|\s*[\s(（])(?:처분청|관리청|관리기관)(?:\s*[:：]\s*|\s+|$).*$/

/** The segments of a line up to the office that acts for its holder, and the text about this office or null. */
const splitOffice = (
  segments: readonly Segment[],
): Readonly<{ own: readonly Segment[]; office: string | null }> => {
  const at = segments.findIndex(({ text }, index) => {
    const found = OFFICE.exec(text)
    return found !== null && index + found.index > 0
  })
  const segment = segments[at]
  if (segment === undefined) return { own: segments, office: null }
  const text = segment.text.replace(OFFICE, '')
  const rest = [segment.text.slice(text.length), ...segments.slice(at + 1).map((each) => each.text)]
  const printed = rest.join(' ').trim()
  const office = /^[(（]/.test(printed)
    ? printed
        .slice(1)
        .replace(/[)）]$/, '')
        .trim()
    : printed
  return { own: [...segments.slice(0, at), ...(text === '' ? [] : [{ ...segment, text }])], office }
}

/** Adds the names, numbers and shares of one line. */
export const addSegments = (holders: Holders, all: readonly Segment[]): void => {
  const { own: segments, office } = splitOffice(all)
  if (office !== null) holders.asides.push(office)
  const texts = segments
    .flatMap(({ text }) => holdersIn(text))
    .filter((text) => text.replace(NUMBER_LABEL, '').trim() !== '')
  for (const [at, text] of texts.entries()) {
    if (isShareText(text)) addShare(holders, text, at > 0)
    else if (at > 0 && isAside(text)) holders.asides.push(text)
    else if (at === 0 || isShareText(texts[at - 1] ?? '')) addText(holders, text)
    else addFurther(holders, text)
  }
}
