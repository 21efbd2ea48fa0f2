/** Reads the persons of a label: names, numbers, addresses and shares. */
import { inHangul } from '../fields/hanja.ts'
import {
  findRegistrationNumber,
  readLabelledNumber,
  splitAfterNumber,
  withoutNumberLabel,
} from '../fields/number.ts'
import { isShareText, readShare } from '../fields/share.ts'
import type { PersonInfo, PersonRole, ShareInfo } from '../schema/entry.ts'
import { joinLines, lineText } from '../tables/cell-text.ts'
import { type CellFrame, type FieldLine, isBroken, textOfSegments } from './field-line.ts'
import {
  ADDRESS_LABEL,
  INDENTED,
  isPlainName,
  isUnit,
  looksLikeAddress,
  NUMBERED,
  opensList,
} from './group-fields.ts'
import {
  addSegments,
  addShare,
  addText,
  current,
  emptyPerson,
  type Holders,
  type OpenPerson,
} from './holder-line.ts'

type FoundPersons = Readonly<{
  persons: readonly PersonInfo[]
  shares: readonly ShareInfo[]
  /** The code of a warning: a holder has no name, or the holders are not certain. */
  doubt: 'PERSON_NOT_READ' | 'PERSONS_UNCLEAR' | null
  /** Lines that have no field, such as the number of a passport. */
  asides: readonly string[]
}>

/** Values of a label are indented further than addresses. */
const VALUE_INDENT = 30

type Reading = Holders & {
  isList: boolean
  nameLeft: number
  /** The left of the first name in points, or null before it. */
  nameAt: number | null
  /** Indentation and free space at the right of the last line of an address. */
  address: Readonly<{ indent: number; room: number }> | null
  /** Whether the previous line is an address at the left of the column that was broken at its end. */
  isAddressOpen: boolean
  /** Free space at the right of the line above, in font sizes. */
  roomAbove: number
  /** Whether the name of the last holder was left out, so that what is below it is an address. */
  isNameless: boolean
  /** Whether the holders are numbered: `1. 한누리`. */
  isNumbered: boolean
}

/** The free space at the end of a line, in font sizes, in which a blank and a letter would have fitted. */
const ONE_MORE = 2

/** Some printers do not indent addresses. An address then follows the number of its holder, and continues where it was broken. */
const isPlainAddress = (line: FieldLine, reading: Reading): boolean => {
  const person = reading.persons.at(-1)
  if (person === undefined || person.name === '') return false
  const text = line.values.map((segment) => segment.text).join(' ')
  if (findRegistrationNumber(text) !== null || isShareText(text)) return false
  return person.address.length === 0
    ? looksLikeAddress(text)
    : reading.isAddressOpen || isUnit(text)
}

/** The lines of a name at most, which its number ends. */
const LINES_AHEAD = 12

/** A line of a holder and the next lines below it. */
type TailLine = Readonly<{ line: FieldLine; text: string; below: readonly FieldLine[] }>

const isAddress = ({ meaning, values }: FieldLine): boolean =>
  meaning === null && looksLikeAddress(textOfSegments(values))

/**
 * Whether an indented line names a further holder: it follows the label or the share of a list, has a number or a share, or is
 * at the left of the names and above another address. Otherwise it may name a branch of the holder above it.
 */
const isNextHolder = ({ line, text, below: [next] }: TailLine, reading: Reading): boolean => {
  const person = reading.persons.at(-1)
  if (person === undefined || person.name === '') {
    const isDue = reading.isList && !reading.isNameless
    return isDue && (person?.address ?? []).length === 0 && !looksLikeAddress(text)
  }
  if (reading.isNumbered && NUMBERED.test(text)) return true
  const isDone = person.number !== null || person.address.length > 0
  if (/^\(|등록번호/.test(text)) return false
  if (isDone && (findRegistrationNumber(text) !== null || isShareText(text))) return true
  if (isPlainName(text) && person.address.length > 0 && next !== undefined && isAddress(next))
    return true
  const { address, nameAt } = reading
  const [{ left, text: name } = { left: 0, text: '' }] = line.values
  return (
    address !== null &&
    nameAt !== null &&
    !isBroken(address) &&
    address.indent < line.indent - 5 &&
    next !== undefined &&
    next.indent >= INDENTED &&
    next.indent < line.indent - 5 &&
    Math.abs(left - nameAt) < 5 &&
    !/\d(?!\.\s)/.test(name)
  )
}

/** Whether a line continues the name of the holder above it, or is a part of its address. */
const isBelowHolder = (tail: TailLine, reading: Reading): boolean =>
  ADDRESS_LABEL.test(tail.text) ||
  (tail.line.indent >= INDENTED ? !isNextHolder(tail, reading) : isPlainAddress(tail.line, reading))

const isAddressText = (text: string): boolean => ADDRESS_LABEL.test(text) || looksLikeAddress(text)

const addBelow = (reading: Reading, line: FieldLine, text: string): void => {
  const person = current(reading)
  const left = line.values[0]?.left ?? 0
  const goesOn = reading.nameLeft >= VALUE_INDENT && line.indent >= VALUE_INDENT - 5
  if (goesOn && person.address.length === 0 && left > 0 && !isAddressText(text)) {
    const isApart = reading.roomAbove >= ONE_MORE
    addText(reading, text, isApart)
    person.isJoined ||= isApart
    return
  }
  person.address.push(line.source)
  reading.address = line
  reading.isAddressOpen = line.indent < INDENTED && isBroken(line)
}

/** Adds a number that is stated by its word below a name. @returns whether the line is one */
const addLabelledNumber = (reading: Reading, text: string): boolean => {
  const person = current(reading)
  const stated = person.name === '' ? null : readLabelledNumber(text)
  if (stated === null) return false
  const { number, isWhole } = stated
  if (number === null) reading.asides.push(text)
  else {
    reading.isUnclear ||= !isWhole || (person.number !== null && person.number !== number)
    person.number ??= number
  }
  return true
}

const LATIN = /^[A-Za-z][A-Za-z .,'&()-]*$/

/** Whether a line continues a name in Latin letters, which ends with the number of the holder. */
const isLatinRest = ({ text, below }: TailLine, { name, number, address }: OpenPerson): boolean => {
  if (number !== null || address.length > 0 || !LATIN.test(name)) return false
  const texts = below.map(({ meaning, values }) => (meaning === null ? textOfSegments(values) : ''))
  for (const each of [text, ...texts]) {
    const { before, number: own } = splitAfterNumber(each)
    const name = own === null ? each : withoutNumberLabel(before)
    if (own !== null) return name === '' || LATIN.test(name)
    if (!LATIN.test(name)) return false
  }
  return false
}

const addTail = (reading: Reading, line: FieldLine, below: readonly FieldLine[]): void => {
  const person = current(reading)
  const text = line.values.map((segment) => segment.text).join(' ')
  const number = findRegistrationNumber(text)
  const isNameBelow = person.name === '' && person.address.length === 0 && reading.isList
  if (isNameBelow && line.indent >= VALUE_INDENT - 5) {
    reading.nameLeft = line.indent
    reading.nameAt = line.values[0]?.left ?? null
  }
  const isNumberAlone = number !== null && text.replace(/\s/g, '') === number
  if (isNumberAlone && person.number === null) {
    person.number = number
    return
  }
  if (addLabelledNumber(reading, text)) return
  if (isLatinRest({ line, text, below }, person)) {
    addText(reading, text)
    return
  }
  if (person.name !== '' && person.share === null && /^\(/.test(text) && isShareText(text)) {
    // behind the last holder of a list it is of this holder, whose address may follow
    addShare(reading, text, true)
    return
  }
  if (isBelowHolder({ line, text, below }, reading)) {
    addBelow(reading, line, text)
    return
  }
  const isFurther = reading.isNumbered && NUMBERED.test(text)
  const isDone =
    person.name !== '' && (isFurther || person.address.length > 0 || person.number !== null)
  if (isDone && !isShareText(text)) reading.persons.push(emptyPerson())
  reading.address = null
  addSegments(reading, line.values)
}

/** Matches several names between commas, the heirs of a person, and numbers in a form that is not known. */
const UNCLEAR = /상속인\s*[가-힣]|[가-힣)]\s*,\s*[가-힣]|\d{5}|[*○●]{4}/

/** Matches a name that ends with an address: `한누리 하늘군 구름면 바람리 113`. */
const WITH_ADDRESS = /\s[가-힣]{1,6}[도시군]\s[가-힣\d]{1,9}[시군구읍면동리로](?:\s|$)/

/** Matches the names of persons below each other that were read as one. */
const NAMES = /^[가-힣]{2,4}(?: (?!은행$|조합$|법인$|공사$|금고$)[가-힣]{2,4})+$/

const isDoubtful = ({ name, number, share, address, isFurther, isJoined }: OpenPerson): boolean =>
  UNCLEAR.test(name) ||
  WITH_ADDRESS.test(name) ||
  findRegistrationNumber(address.map(lineText).join('')) !== null ||
  (isFurther && number === null && share === null) ||
  (isJoined && NAMES.test(name))

/** Gives each share to the holder above it, if the shares follow the holders: the first holder has none, the last share no name. */
const placeShares = (persons: readonly OpenPerson[]): readonly OpenPerson[] => {
  const [first, last] = [persons[0], persons.at(-1)]
  const isBehind = first?.share === null && last?.name === '' && last.share !== null
  if (!isBehind) return persons
  return persons.slice(0, -1).map((person, at) => {
    const { share = null, shareText = null } = persons[at + 1] ?? {}
    return { ...person, share, shareText }
  })
}

/** A share that each of the holders below it has. */
const OF_EACH = /^지분\s*:?\s*각/

/** Gives a share such as `지분 각 4분의 1` to each holder up to the next share. */
const shareEach = (persons: readonly OpenPerson[]): void => {
  let each: OpenPerson | null = null
  for (const person of persons) {
    if (person.shareText !== null) each = OF_EACH.test(inHangul(person.shareText)) ? person : null
    else if (each !== null) {
      person.share = each.share
      person.shareText = each.shareText
    }
  }
}

/** Reads the persons of one label, with their numbers, addresses and shares [documents 7.2]. */
export const readPersons = (
  lines: readonly FieldLine[],
  role: PersonRole,
  frame: CellFrame,
): FoundPersons => {
  const [head, ...tail] = lines
  if (head === undefined) return { persons: [], shares: [], doubt: null, asides: [] }
  const size = head.source.pieces[0]?.size ?? 10
  const nameLeft = (((head.values[0]?.left ?? frame.left) - frame.left) * 10) / size
  const reading: Reading = {
    persons: [],
    asides: [],
    isUnclear: false,
    address: null,
    isList: opensList(head),
    nameLeft,
    nameAt: head.values[0]?.left ?? null,
    isAddressOpen: false,
    roomAbove: head.room,
    isNameless: false,
    isNumbered: NUMBERED.test(textOfSegments((tail[0] && opensList(head) ? tail[0] : head).values)),
  }
  if (reading.isList) {
    reading.nameLeft = 0
    reading.nameAt = null
  }
  addSegments(reading, head.values)
  for (const [at, line] of tail.entries()) {
    addTail(reading, line, tail.slice(at + 1, at + 1 + LINES_AHEAD))
    reading.roomAbove = line.room
    reading.isNameless = line.isEmptied === true || (reading.isNameless && line.indent >= INDENTED)
  }
  const persons = placeShares(reading.persons)
  const named = persons.filter((person) => person.name !== '')
  if (reading.isNumbered)
    for (const person of named) person.name = person.name.replace(NUMBERED, '')
  const isUnclear = reading.isUnclear || named.some(isDoubtful)
  // after the doubts, because the share of each does not show that a text is a name
  shareEach(persons)
  const addresses = named.map((person) => readAddress(person, frame))
  return {
    doubt: named.length < persons.length ? 'PERSON_NOT_READ' : isUnclear ? 'PERSONS_UNCLEAR' : null,
    persons: named.map((person, at) => toPerson(person, role, addresses[at]?.address ?? '')),
    shares: named.flatMap(toShare),
    asides: [...reading.asides, ...addresses.flatMap(({ service }) => service)],
  }
}

/** The place of service behind an address: `(송달장소 : 가람시 나래동 1)`. */
const SERVICE = /\(?송달\s?장소/

const readAddress = ({ address }: OpenPerson, frame: CellFrame) => {
  const whole = joinLines(address, frame.right).replace(ADDRESS_LABEL, '')
  const at = whole.search(SERVICE)
  return at === -1
    ? { address: whole, service: [] }
    : { address: whole.slice(0, at).trim(), service: [whole.slice(at)] }
}

const toPerson = (person: OpenPerson, role: PersonRole, address: string): PersonInfo => ({
  // the line may be broken between the number and its word
  name: person.number === null ? person.name : withoutNumberLabel(person.name),
  role,
  resident_number: person.number,
  address: address === '' ? null : address,
  share: person.share,
})

const toShare = (person: OpenPerson): readonly ShareInfo[] => {
  if (person.shareText === null) return []
  const { numerator = null, denominator = null } = readShare(person.shareText) ?? {}
  return [{ owner_name: person.name, raw: person.shareText, numerator, denominator }]
}
