/** Groups the lines of a rights column by their labels. */
import { findDate } from '../fields/date.ts'
import { isOnlyAmount } from '../fields/money.ts'
import { squeeze } from '../fields/normal-text.ts'
import { findRegistrationNumber, readLabelledNumber } from '../fields/number.ts'
import { isShareText, splitAtShare } from '../fields/share.ts'
import { type FieldLine, isBroken, textOfLine, textOfSegments } from './field-line.ts'
import type { LabelKind, TextField } from './label.ts'

/** A label with all lines that belong to it, or lines without a label. */
export type FieldGroup = Readonly<{
  label: string | null
  meaning: LabelKind | null
  lines: readonly FieldLine[]
}>

/** Points. Addresses are indented by 20, names and shares by at most 10. */
export const INDENTED = 15

/** The date of a note at the end of a block, such as `2023년9월15일 부기`. */
export const annotationDate = (line: FieldLine): string | null => {
  const text = textOfLine(line)
  const found = findDate(text)
  if (found === null || squeeze(text.slice(0, found.start)) !== '') return null
  return /^(부기|등기|부기등기)?$/.test(squeeze(text.slice(found.end))) ? found.date : null
}

/** Matches the number before a holder: `1. 한누리`. */
export const NUMBERED = /^\d{1,2}\.\s*(?=\D)/

/** Whether a label opens a list of holders: it is alone on its line, or followed by the first share. */
export const opensList = (head: FieldLine): boolean => {
  const values = textOfSegments(head.values)
  return head.isEmptied !== true && (values === '' || isShareText(values))
}

const isSentence = (line: FieldLine): boolean =>
  /부동산등기법|(으로|하여)$|이기$|전사$|것임$|(^|[\s에])의하여/.test(textOfLine(line))

/** Whether a list names its holders without shares and numbers, as a list of debtors does, and the line is the next name. */
const isNextName = (group: readonly FieldLine[], next: FieldLine | undefined): boolean =>
  (group.at(-1)?.indent ?? 0) >= INDENTED &&
  next?.meaning === null &&
  next.indent >= INDENTED &&
  !group.some((line) => /^(?:지분|持分)\s/.test(textOfSegments(line.values)))

/** The word that some prints put before the address of a holder. */
export const ADDRESS_LABEL = /^(?:주\s*소|住\s*所)(?:\s*:\s*|\s+)(?=\S)/

/** Names of persons and of companies, without blanks and numbers. */
const PLAIN_NAME = /^(?:[가-힣]{2,5}|[가-힣]*(?:회사|은행|조합|법인|공사|금고)[가-힣]*)$/

/** Whether the text is a name without blanks and numbers, as it is above an address. */
export const isPlainName = (text: string): boolean => PLAIN_NAME.test(text)

/** A city, county or district with its number of four digits. */
const LOCAL_GOVERNMENT = /^\S+[시군구도]\s+\d{4}$/

const isAddressBelow = (line: FieldLine): boolean =>
  line.meaning === null && line.indent >= INDENTED && looksLikeAddress(textOfSegments(line.values))

/** Whether a text can only be a part of a holder: its share, its address, or its name with its share. */
const isOfHolder = (text: string): boolean =>
  isShareText(text) || ADDRESS_LABEL.test(text) || splitAtShare(text)?.after === ''

/** Whether the line has a number of a holder and nothing else. */
const isOnlyNumber = (line: FieldLine): boolean => {
  const text = textOfSegments(line.values)
  const number = findRegistrationNumber(text)
  return number !== null && squeeze(text) === number
}

const hasNumber = (line: FieldLine): boolean =>
  findRegistrationNumber(textOfSegments(line.values)) !== null

/** Whether a line without label and indent continues the holder above it. @param next the line below it */
const continuesPerson = (
  line: FieldLine,
  group: readonly FieldLine[],
  next: FieldLine | undefined,
): boolean => {
  const head = group[0]
  const text = textOfSegments(line.values)
  if (head === undefined || line.startsBlock || annotationDate(line) !== null) return false
  if (isOfHolder(text) || readLabelledNumber(text) !== null) return true
  if (NUMBERED.test(text) && NUMBERED.test(textOfSegments(head.values))) return true
  if (isSentence(line)) return false
  const before = group.at(-1)
  if (isPartOfAddress(text)) return true
  if (before !== undefined && isOpenAddress(before)) return true
  if (hasNumber(line)) return true
  // the rest of a name, whose number is below it
  if (before === head && !hasNumber(head) && next !== undefined && isOnlyNumber(next)) return true
  if (PLAIN_NAME.test(text) && next !== undefined && isAddressBelow(next)) return true
  if (!opensList(head)) return false
  if (LOCAL_GOVERNMENT.test(text)) return true
  if (isNextName(group, next)) return true
  // text without a number is a name only where a name must follow: after the label or the share
  return before !== undefined && (before === head || awaitsName(before))
}

const COUNTRIES =
  '미합중국|미국|일본국?|중국|중화인민공화국|중화민국|대만|홍콩|캐나다국?|호주|오스트레일리아|뉴질랜드|영국|독일|프랑스|싱가포르|베트남|러시아|필리핀|태국|몽골|인도네시아|말레이시아|우즈베키스탄|브라질|네덜란드|스위스|스페인|이탈리아'
/** An address abroad: a country, places in it and a number. `중국 공상은행` is a name. */
const FOREIGN_ADDRESS = new RegExp(`^(?:${COUNTRIES})\\s+[가-힣A-Za-z]+[\\s,]+(?=.*\\d)`)

/** Whether a text such as `가람도 마바시 …` begins with a province, city or country, and continues with a place in it. */
export const looksLikeAddress = (text: string): boolean =>
  isDomestic(text) || (FOREIGN_ADDRESS.test(text) && findRegistrationNumber(text) === null)

const isDomestic = (text: string): boolean =>
  /^([가-힣]{1,6}(특별자치도|특별자치시|특별시|광역시|도)|[가-힣]{1,5}(시|군))\s+[가-힣\d]+(시|군|구|읍|면|동|리|로|길|가)(\s|\d|$)/.test(
    text,
  ) && /\d/.test(text)

/** A numbered building, floor or room: `302호(라온동,마루아파트)`, `제3층 제비01호`. */
const UNIT = /^(?:제\s?)?(?:지하\s?)?[A-Za-z비]?\d[\d-]{0,8}(?:동|층|호)(?=$|[\s,()제\d])/
/** The letter of a building, before a numbered floor or room: `A동 302호`. */
const BUILDING = /^[A-Z가나다라마]동\s?(?=제|지하|비?\d)/

/** Whether a text below an address can only be its end, because no name begins like this. */
export const isUnit = (text: string): boolean => UNIT.test(text.replace(BUILDING, ''))

const isPartOfAddress = (text: string): boolean => looksLikeAddress(text) || isUnit(text)

/** Whether the line is an unindented address that was broken at its end. */
const isOpenAddress = (line: FieldLine): boolean =>
  line.meaning === null &&
  line.indent < INDENTED &&
  isBroken(line) &&
  looksLikeAddress(textOfSegments(line.values))

const awaitsName = (line: FieldLine): boolean =>
  line.indent < INDENTED && !/\d{6}\s*-/.test(textOfSegments(line.values))

/** Whether the group so far is a label, whose value follows below it. */
const isLabelAlone = ({ lines }: FieldGroup): boolean =>
  lines.every(({ values, isEmptied }) => values.length === 0 && isEmptied !== true)

const belongs = (
  line: FieldLine,
  group: FieldGroup | undefined,
  next: FieldLine | undefined,
): boolean => {
  if (group === undefined || line.meaning !== null || line.startsBlock) return false
  const isFree = group.meaning === null
  if (isFree) return true
  const text = textOfSegments(line.values)
  // an amount below a holder is that of the right
  if (group.meaning?.kind === 'person' && isOnlyAmount(text)) return false
  if (line.indent >= INDENTED) return true
  // a remark such as `(금10,000,000원 증액)` is about the amount above it
  if (group.meaning?.kind === 'amount')
    return text.startsWith('(') || (isLabelAlone(group) && isOnlyAmount(text))
  if (group.meaning?.kind === 'text') return continuesText(line, group.lines, group.meaning.field)
  return group.meaning?.kind === 'person' && continuesPerson(line, group.lines, next)
}

/** Texts that are sentences, and followed by other labels or by nothing. */
const SENTENCES: ReadonlySet<TextField> = new Set(['protected_right', 'prohibition_text'])

/** Whether a line without label and indent continues a text that fills the line above it, as some printers print it. */
const continuesText = (line: FieldLine, group: readonly FieldLine[], field: TextField): boolean => {
  const before = group.at(-1)
  if (before === undefined || annotationDate(line) !== null || isSentence(line)) return false
  if (SENTENCES.has(field)) return true
  const isWord = line.values.length === 1
  return isWord && isBroken(before)
}

/** The list of holders that a line continues after a note about one of them, such as 관리청 or 대표자. */
const reopenedList = (line: FieldLine, groups: readonly FieldGroup[]): FieldGroup | null => {
  const list = groups.findLast(({ meaning }) => meaning?.kind === 'person')
  const [head] = list?.lines ?? []
  if (list === undefined || head === undefined || line.meaning !== null || !opensList(head)) {
    return null
  }
  const text = textOfSegments(line.values)
  return isShareText(text) || findRegistrationNumber(text) !== null ? list : null
}

/** Groups the lines of a rights column: each label takes the lines that continue below it. */
export const groupFields = (lines: readonly FieldLine[]): readonly FieldGroup[] => {
  const groups: { label: string | null; meaning: LabelKind | null; lines: FieldLine[] }[] = []
  for (const [at, line] of lines.entries()) {
    const group = groups.at(-1)
    if (group !== undefined && belongs(line, group, lines[at + 1])) group.lines.push(line)
    else {
      const { label, meaning } = reopenedList(line, groups) ?? line
      groups.push({ label, meaning, lines: [line] })
    }
  }
  return groups
}
