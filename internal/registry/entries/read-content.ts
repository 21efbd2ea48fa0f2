/** Reads the rights column (권리자 및 기타사항) into typed fields. */
import { withFullDates } from '../fields/date.ts'
import { isOnlyAmount, readMoney, readRepeated } from '../fields/money.ts'
import { squeeze } from '../fields/normal-text.ts'
import { findRegistrationNumber } from '../fields/number.ts'
import type {
  AmountInfo,
  CollateralItem,
  EntryContent,
  PersonRole,
  RightType,
} from '../schema/entry.ts'
import { joinLines } from '../tables/cell-text.ts'
import { type CellFrame, type FieldLine, OF_HOLDER, textOfLine } from './field-line.ts'
import { annotationDate, type FieldGroup, groupFields, INDENTED } from './group-fields.ts'
import { isOtherHolder, type TextField } from './label.ts'
import { readCollateralItems } from './read-collateral.ts'
import { readPersons } from './read-persons.ts'

/** Facts from the purpose of an entry that affect how its rights column is read. */
type ContentContext = Readonly<{
  right: RightType
  purpose: string
  frame: CellFrame
}>

export type FoundContent = Readonly<{
  content: EntryContent
  /** Warning codes of values that have no field [documents 13.3]. */
  remarks: readonly string[]
}>

type Draft = {
  content: EntryContent
  /** Whether an amount without a label is the claim that a 가압류 secures: its only one. */
  isClaim: boolean
  texts: Map<TextField, Readonly<{ value: string; isStruck: boolean }>>
  items: CollateralItem[]
  notes: string[]
  remarks: string[]
}

/** Returns the content of an entry in which nothing was recognised. */
export const emptyContent = (): EntryContent => ({
  persons: [],
  amounts: [],
  shares: [],
  collateral: null,
  term: null,
  lease: null,
  protected_right: null,
  prohibition_text: null,
  trade_list_number: null,
  annotation_date: null,
  notes_raw: null,
  cancels_cause: null,
})

/** The value of a label over all its lines, without the label. */
const fieldValue = (group: FieldGroup, frame: CellFrame): string => {
  const lines = group.lines.map((line) => ({
    page: line.source.page,
    baseline: line.source.baseline,
    // a label may fill its line, with its value below
    pieces: line.source.pieces.filter(
      (piece) => piece.left >= (line.values[0]?.left ?? Number.POSITIVE_INFINITY) - 1,
    ),
  }))
  const isInside = group.lines[0]?.values.length === 1 && lines[0]?.pieces.length === 0
  if (isInside) return group.lines.map(textOfValues).join(' ')
  const joined = joinLines(
    lines.filter((line) => line.pieces.length > 0),
    frame.right,
  )
  const printed = group.lines[0]?.printedLabel ?? ''
  return joined.startsWith(printed) ? joined.slice(printed.length).trim() : joined
}

const textOfValues = (line: FieldLine): string =>
  line.values.map((segment) => segment.text).join(' ')

/** What remains of a number before an amount: `1.`. */
const NUMBERED = /^\d{1,2}[.)](?=\s|$)/

const LIST_NUMBER = /제?\s*(\d{4}-\d+|\d+)\s*호?/

/** Sets the number of a list. The rest of its line goes to the notes, with a warning if it may be another number. */
const setListNumber = (draft: Draft, group: FieldGroup, field: TextField, value: string): void => {
  const [printed, number] = LIST_NUMBER.exec(value) ?? []
  if (printed === undefined || number === undefined) {
    setAside(draft, group, 'LIST_NUMBER_NOT_READ')
    return
  }
  setText(draft, group, field, number)
  const rest = value.replace(printed, '').trim()
  if (/\d/.test(rest)) setAside(draft, group, 'FIELD_REPEATED')
  else if (/[^\s,.()]/.test(rest)) draft.notes.push(`${group.label ?? ''} ${rest}`)
}

const NOT_IN_WON = {
  foreign: 'FOREIGN_CURRENCY',
  old: 'OLD_CURRENCY',
  none: 'AMOUNT_NOT_READ',
} as const

const addAmount = (draft: Draft, type: AmountInfo['type'], value: string): void => {
  const money = readMoney(value)
  if (money?.kind === 'won') {
    draft.content.amounts.push({ type, value: money.value, raw: money.raw })
    const rest = value.replace(money.raw, '').replace('()', '').replace(NUMBERED, '').trim()
    if (rest !== '') draft.notes.push(`${type} ${rest}`)
    const again = readRepeated(rest)
    const isOther = again === null ? /금.*원/.test(rest) : again !== money.value
    if (isOther) draft.remarks.push('AMOUNT_NOT_READ')
  } else if (money !== null || !/없음|무상/.test(value)) {
    draft.remarks.push(NOT_IN_WON[money?.kind ?? 'none'])
    draft.notes.push(`${type} ${value}`)
  }
}

/** The beginning of a further amount below one label: `2. 금50,000,000원`, `미화 금1,000달러`. */
const FURTHER_AMOUNT =
  /^(?:\d{1,2}[.)]\s*)?(?:(?:미화|미국화|일본국?법?화|엔화|유로화?|중국법?화)\s*)?(?:일\s*)?[금金]\s*[\d일이삼사오육칠팔구십백천壹-龥]/

/** The lines of each amount of a label. Several may follow each other, one for each debtor. */
const amountGroups = (group: FieldGroup): readonly FieldGroup[] => {
  const groups: FieldLine[][] = []
  for (const line of group.lines) {
    const above = groups.at(-1)
    const hasAmount = above?.some((each) => /[금金]/.test(textOfValues(each))) === true
    const isFurther = line.label === null && hasAmount && FURTHER_AMOUNT.test(textOfValues(line))
    if (above === undefined || isFurther) groups.push([line])
    else above.push(line)
  }
  return groups.map((lines) => ({ ...group, lines }))
}

/** Keeps a value that has no place in the fields, and the warning about it. */
const setAside = (draft: Draft, group: FieldGroup, code: string): void => {
  draft.notes.push(group.lines.map(textOfLine).join(' ').trim())
  draft.remarks.push(code)
}

/** Sets a text once. A later value replaces one that is struck through; otherwise it is set aside. */
const setText = (draft: Draft, group: FieldGroup, field: TextField, value: string): void => {
  const known = draft.texts.get(field)
  const isStruck = group.lines.every((line) => line.isStruck)
  if (known === undefined || known.isStruck) draft.texts.set(field, { value, isStruck })
  else if (!isStruck && known.value !== value) setAside(draft, group, 'FIELD_REPEATED')
}

const addText = (draft: Draft, group: FieldGroup, field: TextField, frame: CellFrame): void => {
  const value = fieldValue(group, frame)
  if (field === 'collateral') {
    const { items, isWhole } = readCollateralItems(group.lines, frame)
    draft.items.push(...items)
    if (!isWhole) setAside(draft, group, 'COLLATERAL_NOT_READ')
  } else if (field === 'trade_list' || field === 'collateral_list') {
    setListNumber(draft, group, field, value)
  } else setText(draft, group, field, value)
}

/** Whether the line has the form of a label with its value, although the label is not known. */
const isLabelled = ({ values: [label, value], indent }: FieldLine): boolean =>
  indent < INDENTED &&
  value !== undefined &&
  /^[가-힣]{2,12}$/.test(squeeze(label?.text ?? '')) &&
  !OF_HOLDER.test(label?.text ?? '')

/** Adds the lines that are only an amount: the claim of a 가압류, otherwise a value that no label names. @returns the other lines */
const addUnlabelled = (draft: Draft, lines: readonly FieldLine[]): readonly FieldLine[] => {
  const amounts = lines.filter(isAmountLine)
  if (amounts.length === 0) return lines
  if (draft.isClaim) {
    for (const line of amounts) addAmount(draft, '청구금액', textOfValues(line))
    return lines.filter((line) => !amounts.includes(line))
  }
  draft.remarks.push('AMOUNT_NOT_READ')
  return lines
}

const isAmountLine = (line: FieldLine): boolean => isOnlyAmount(textOfValues(line))

const addFree = (draft: Draft, group: FieldGroup, context: ContentContext): void => {
  const isProhibition =
    /금지사항(?!.*말소$)/.test(context.purpose) && draft.content.prohibition_text === null
  const plain: FieldLine[] = []
  for (const line of group.lines) {
    const date = annotationDate(line)
    if (date === null) plain.push(line)
    else draft.content.annotation_date ??= date
  }
  if (plain.length === 0) return
  const rest = addUnlabelled(draft, plain)
  if (rest.length === 0) return
  const sources = rest.map((line) => line.source)
  const text = joinLines(sources, context.frame.right)
  if (context.right !== '등기명의인표시변경') {
    if (rest.some(isLabelled)) draft.remarks.push('LABEL_UNKNOWN')
    if (findRegistrationNumber(text) !== null) draft.remarks.push('PERSONS_UNCLEAR')
  }
  if (isProhibition) draft.content.prohibition_text = text
  else draft.notes.push(text)
}

/** Adds the holders of a label. */
const addHolders = (draft: Draft, group: FieldGroup, role: PersonRole, frame: CellFrame): void => {
  // `채권자 3. 한다솜 말소` ends a holder of another entry, and names none of this one
  const last = group.lines.at(-1)
  if (last !== undefined && /(?:^|[\s.])말소(?:함)?$/.test(textOfLine(last).trim())) {
    draft.notes.push(group.lines.map(textOfLine).join(' ').trim())
    return
  }
  const found = readPersons(group.lines, role, frame)
  draft.content.persons.push(...found.persons)
  draft.content.shares.push(...found.shares)
  const isUnknown = isOtherHolder(group.label ?? '')
  const doubt = found.doubt ?? (isUnknown ? 'LABEL_UNKNOWN' : null)
  if (doubt !== null) setAside(draft, group, doubt)
  else draft.notes.push(...(group.label?.includes('(') ? [group.label] : []), ...found.asides)
  if (found.shares.some((share) => share.numerator === null)) draft.remarks.push('SHARE_NOT_WHOLE')
}

const addGroup = (draft: Draft, group: FieldGroup, context: ContentContext): void => {
  const { meaning } = group
  const { frame } = context
  if (meaning === null) addFree(draft, group, context)
  else if (meaning.kind === 'note') draft.notes.push(group.lines.map(textOfLine).join(' '))
  else if (meaning.kind === 'amount')
    for (const each of amountGroups(group)) addAmount(draft, meaning.type, fieldValue(each, frame))
  else if (meaning.kind === 'text') addText(draft, group, meaning.field, frame)
  else addHolders(draft, group, meaning.role, frame)
}

const collateralOf = ({ items, texts }: Draft): EntryContent['collateral'] => {
  const list_number = texts.get('collateral_list')?.value ?? null
  return list_number === null && items.length === 0 ? null : { list_number, items }
}

const finish = (draft: Draft, right: RightType): EntryContent => {
  const { content, texts } = draft
  // a struck value leaves its label
  const get = (field: TextField) => texts.get(field)?.value || null
  const dates = (field: TextField) => {
    const text = get(field)
    return text === null ? null : withFullDates(text)
  }
  const hasTerm = (['purpose', 'scope', 'duration', 'land_rent'] as const).some((f) => texts.has(f))
  const isLease = right === '전세권' || right === '임차권'
  const area = get('lease_area') ?? (isLease ? get('scope') : null)
  const lease = {
    contract_date: dates('contract_date'),
    resident_registration_date: dates('resident_registration_date'),
    possession_start_date: dates('possession_start_date'),
    fixed_date: dates('fixed_date'),
    lease_area: area,
  }
  const notes = draft.notes.filter((note) => squeeze(note) !== '').join('\n')
  return {
    ...content,
    collateral: collateralOf(draft),
    trade_list_number: get('trade_list'),
    term: hasTerm
      ? {
          purpose: get('purpose'),
          scope: get('scope'),
          duration: get('duration'),
          land_rent: get('land_rent'),
        }
      : null,
    lease: Object.values(lease).some((value) => value !== null) ? lease : null,
    protected_right: get('protected_right'),
    prohibition_text: content.prohibition_text ?? get('prohibition_text'),
    notes_raw: notes === '' ? null : notes,
  }
}

/** Reads the rights column of an entry into the fields of EntryContent [documents 7.1]. */
export const readContent = (lines: readonly FieldLine[], context: ContentContext): FoundContent => {
  const groups = groupFields(lines)
  const unlabelled = groups.flatMap(({ meaning, lines: own }) =>
    meaning === null ? own.filter(isAmountLine) : [],
  )
  const hasAmount = groups.some(({ meaning }) => meaning?.kind === 'amount')
  const draft: Draft = {
    content: emptyContent(),
    isClaim: context.right === '가압류' && !hasAmount && unlabelled.length === 1,
    texts: new Map(),
    items: [],
    notes: [],
    remarks: [],
  }
  for (const group of groups) addGroup(draft, group, context)
  return { content: finish(draft, context.right), remarks: draft.remarks }
}
