/** Reads the persons of a label: names, numbers, addresses and shares. */
import { findRegistrationNumber } from '../fields/number.ts'
import { readShare } from '../fields/share.ts'
import type { PersonInfo, PersonRole, ShareInfo } from '../schema/entry.ts'
import { type CellLine, joinLines } from '../tables/cell-text.ts'
import type { CellFrame, FieldLine, Segment } from './field-line.ts'
import { INDENTED, looksLikeAddress, opensList } from './group-fields.ts'

type OpenPerson = {
  name: string
  number: string | null
  share: string | null
  shareText: string | null
  address: CellLine[]
}

type FoundPersons = Readonly<{
  persons: readonly PersonInfo[]
  shares: readonly ShareInfo[]
  /** False if a holder has no name. */
  isWhole: boolean
}>

/** Values of a label are indented further than addresses. */
const VALUE_INDENT = 30

const emptyPerson = (): OpenPerson => ({
  name: '',
  number: null,
  share: null,
  shareText: null,
  address: [],
})

/** The number of a local government, four digits in the place of a person's number. */
const shortNumber = (text: string): string | null => (/^\d{4}$/.test(text) ? text : null)

/** A local government and its number, separated by a single blank, such as `가람시 4106`. */
const LOCAL_GOVERNMENT = /^(\S+[시군구도])\s(\d{4})$/

const addText = (person: OpenPerson, text: string): void => {
  const number = findRegistrationNumber(text)
  const code = person.name === '' ? null : shortNumber(text.trim())
  const office = LOCAL_GOVERNMENT.exec(text)
  if (office !== null && person.number === null) {
    addText(person, office[1] ?? '')
    person.number = office[2] ?? null
    return
  }
  if (code !== null) {
    person.number ??= code
    return
  }
  const name = (number === null ? text : text.replace(/\(?[\d-]{6,}[\d*○●-]*\)?\s*$/, '')).trim()
  if (number !== null) person.number ??= number
  if (name === '' || name === number) return
  person.name = person.name === '' ? name : `${person.name}${joint(person.name, name)}${name}`
}

/** The text between the parts of a broken name: empty, or a blank around words such as 외 and 및. */
const joint = (before: string, next: string): string =>
  /^(외|및)\s/.test(next) || /\s(외|및)$/.test(before) ? ' ' : ''

type Reading = {
  persons: OpenPerson[]
  isList: boolean
  nameLeft: number
  /** Whether the previous line is an address at the left of the column that was broken at its end. */
  isAddressOpen: boolean
}

/** A line with less free space than this at its right was broken, in font sizes. */
const BROKEN = 4

/** Some printers do not indent addresses. An address then follows the number of its holder, and continues where it was broken. */
const isPlainAddress = (line: FieldLine, reading: Reading): boolean => {
  const person = reading.persons.at(-1)
  if (person === undefined || person.name === '') return false
  const text = line.values.map((segment) => segment.text).join(' ')
  if (findRegistrationNumber(text) !== null || /^지분\s/.test(text)) return false
  return person.address.length === 0 ? looksLikeAddress(text) : reading.isAddressOpen
}

const current = (reading: Reading): OpenPerson => {
  const person = reading.persons.at(-1) ?? emptyPerson()
  if (reading.persons.length === 0) reading.persons.push(person)
  return person
}

const addSegments = (reading: Reading, segments: readonly Segment[]): void => {
  for (const segment of segments) {
    const share = /^지분\s*/.test(segment.text) ? readShare(segment.text) : null
    if (share === null) {
      addText(current(reading), segment.text)
      continue
    }
    const last = reading.persons.at(-1)
    if (last === undefined || last.name !== '' || last.share !== null) {
      reading.persons.push(emptyPerson())
    }
    const person = current(reading)
    person.share = share.text
    person.shareText = segment.text
  }
}

const addTail = (reading: Reading, line: FieldLine): void => {
  const person = current(reading)
  const text = line.values.map((segment) => segment.text).join(' ')
  const number = findRegistrationNumber(text)
  const isNameBelow = person.name === '' && person.address.length === 0 && reading.isList
  if (isNameBelow && line.indent >= VALUE_INDENT - 5) reading.nameLeft = line.indent
  const isNumberAlone = number !== null && text.replace(/\s/g, '') === number
  if (isNumberAlone && person.number === null) {
    person.number = number
    return
  }
  if (line.indent >= INDENTED || isPlainAddress(line, reading)) {
    const left = line.values[0]?.left ?? 0
    const goesOn = reading.nameLeft >= VALUE_INDENT && line.indent >= VALUE_INDENT - 5
    if (goesOn && person.address.length === 0 && left > 0) addText(person, text)
    else {
      person.address.push(line.source)
      reading.isAddressOpen = line.indent < INDENTED && line.room < BROKEN
    }
    return
  }
  const isNext = person.name !== '' && (person.address.length > 0 || person.number !== null)
  if (isNext && !/^지분\s/.test(text)) reading.persons.push(emptyPerson())
  addSegments(reading, line.values)
}

/** Reads the persons of one label, with their numbers, addresses and shares [documents 7.2]. */
export const readPersons = (
  lines: readonly FieldLine[],
  role: PersonRole,
  frame: CellFrame,
): FoundPersons => {
  const [head, ...tail] = lines
  if (head === undefined) return { persons: [], shares: [], isWhole: true }
  const size = head.source.pieces[0]?.size ?? 10
  const nameLeft = (((head.values[0]?.left ?? frame.left) - frame.left) * 10) / size
  const reading: Reading = {
    persons: [],
    isList: opensList(head),
    nameLeft,
    isAddressOpen: false,
  }
  if (reading.isList) reading.nameLeft = 0
  addSegments(reading, head.values)
  for (const line of tail) addTail(reading, line)
  const named = reading.persons.filter((person) => person.name !== '')
  return {
    isWhole: named.length === reading.persons.length,
    persons: named.map((person) => toPerson(person, role, frame)),
    shares: named.flatMap(toShare),
  }
}

const toPerson = (person: OpenPerson, role: PersonRole, frame: CellFrame): PersonInfo => {
  const address = joinLines(person.address, frame.right)
  return {
    name: person.name,
    role,
    resident_number: person.number,
    address: address === '' ? null : address,
    share: person.share,
  }
}

const toShare = (person: OpenPerson): readonly ShareInfo[] => {
  const share = person.shareText === null ? null : readShare(person.shareText)
  if (share === null || person.shareText === null) return []
  const { numerator, denominator } = share
  return [{ owner_name: person.name, raw: person.shareText, numerator, denominator }]
}
