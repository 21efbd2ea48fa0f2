/** Corrects words and numbers of a registry that OCR misread, where only one spelling is possible. */
import { squeeze } from '../fields/normal-text.ts'
import { nearest } from './similar.ts'

/** Phrases that fill a line of a cell. */
const PHRASES = [
  '등기사항전부증명서(말소사항',
  '등기사항전부증명서(말소사항 포함)',
  '등기사항전부증명서(현재 유효사항)',
  '관할등기소',
  '소유권이전',
  '소유권보존',
  '소유권일부이전',
  '소유권이전청구권가등기',
  '근저당권설정',
  '전세권설정',
  '임차권설정',
  '주택임차권',
  '지상권설정',
  '지역권설정',
  '임의경매개시결정',
  '강제경매개시결정',
  '금지사항등기',
  '환매특약',
  '기록사항 없음',
  '설정계약',
  '확정채권양도',
  '계약양도',
  '공동담보',
  '근저당권자',
  '전세권자',
  '지상권자',
  '임차인',
  '채무자',
  '채권자',
  '소유자',
  '공유자',
  '수탁자',
  '권리자',
  '채권최고액',
  '청구금액',
  '임차보증금',
  '전세금',
  '거래가액',
  '존속기간',
  '목록번호',
  '일련번호',
  '순위번호',
  '등기원인',
  '경정원인',
  '생성원인',
  '변경/소멸',
  '예비란',
  '기타사항',
  '부동산의 표시',
  '부동산에 관한 권리의 표시',
  '관할등기소명',
  '신탁재산의 처분',
  '철근콘크리트구조',
  '철근콘크리트조',
  '평슬래브지붕',
  '평슬라브지붕',
  '[도로명주소]',
] as const
const SHORTEST_PHRASE = 3

const likeDigits = (text: string): string => text.replace(/[lIㅣ|!]/g, '1').replace(/[OoㅇQ]/g, '0')

/** Matches a date such as `2001'1ㅋ8윌12일`. The number of the month is correct just before its sign. */
const DATE = /^(\d{4})(\D{1,2}|.{3}?|년)(\d{1,2})[월윌웡원](\d{1,2})[일읽엘임](.*)$/
const CLEAN_DATE = /\d{4}년\s*\d{1,2}월\s*\d{1,2}일/
const RECEIPT = /^[제재저채게][\s.]*([\dlIㅣ|OoㅇQ]{1,7})[호효흐초조]$/
const AMOUNT = /^([금급글]\s*)([\d,.]+)([원완윈웜웬인일임])(정?)$/
const RANK = /^[\dlIㅣ|OoㅇQ]{1,3}(?:[-–—~][\dlIㅣ|OoㅇQ]{1,3}){0,2}$/
const PREVIOUS = /^[([]?\s*[전진천]\s*([\dlIㅣ|]{1,3}(?:-\d{1,3})?)\s*[)\]]?$/

const correctPhrase = (text: string): string => {
  const squeezed = squeeze(text)
  if (squeezed.length < SHORTEST_PHRASE) return text
  // same length only: a phrase that continues on the next line is not one of these
  const known = PHRASES.map(squeeze).filter(({ length }) => length === squeezed.length)
  // allow one letter of four, but none of three: short words differ by one letter
  const found = nearest(squeezed, known, squeezed.length < 4 ? 0 : 0.26)
  return PHRASES.find((phrase) => squeeze(phrase) === found) ?? text
}

const correctDate = (text: string): string => {
  const found = CLEAN_DATE.test(text) ? null : DATE.exec(text.replace(/\s+/g, ''))
  if (found === null) return text
  const [, year, , month, day, rest] = found
  return `${year}년${month}월${day}일${rest}`
}

/** Corrections by the text around a number, as in addresses, which determines the letter next to it. */
const AROUND_NUMBERS: readonly (readonly [RegExp, string])[] = [
  // a street, and the number of a building
  [/(?<=[가-힣])코(?=\s?\d+(?:번길|-\d|,|\s|$))/g, '로'],
  // the number of a building in a complex, and of a flat
  [/(?<=\d)등(?=\s?\d|$)/g, '동'],
  [/(?<=\d)초(?=\s?\(|$)/g, '호'],
  // the hyphen was too thin to be read; two numbers are never adjacent
  [/(?<=^|[^\d,.-])(\d{6})\s?(\d{7})(?=$|\s)/g, '$1-$2'],
  [/(?<=[리동가]\s산?)(\d{1,4}) (\d{1,4})(?=$|,|\s)/g, '$1-$2'],
]
const TIME = /\d시\s?\d+분/

const correctAroundNumbers = (text: string): string =>
  TIME.test(text)
    ? text
    : AROUND_NUMBERS.reduce((known, [wrong, right]) => known.replace(wrong, right), text)

/** What OCR makes of ㎡ after a number. The Korean training data does not contain the sign. */
const LIKE_METRE = /(?<=\d)\s?(?:[ㅠㅁ머떠미며]{1,2}|n?nf|rrf|m[2²]?|1[ㅠㅁ])$/
/** A floor and its area. The area ends in ㎡ and has at most four decimal places. */
const FLOOR_AREA = /^((?:지하|옥탑)?\d{1,3}층|지층)(\s.*)?(?<=\s)(\d[\d,]*)(\.\d+)?\.?$/

const correctPlaces = (places: string): string => {
  if (places.length > 5) return places.slice(0, 5)
  return /^\.(?:\d\d|\d{4})[01]$/.test(places) ? places.slice(0, -1) : places
}

const correctArea = (text: string): string => {
  const found = FLOOR_AREA.exec(text.replace(LIKE_METRE, ''))
  if (found === null) return text.replace(LIKE_METRE, '㎡')
  const [, floor = '', use = ' ', whole = '', places = ''] = found
  return `${floor}${use}${whole}${correctPlaces(places)}㎡`
}

/** The first part of a person's number, and stars. Seven characters follow the hyphen, however many stars OCR saw. */
const MASKED = /(?<!\d)(\d{6})[-–—]([\d]?)\*{3,9}/g
const MASKED_SIGNS = 7

const correctMask = (text: string): string =>
  text.replace(
    MASKED,
    (_, born: string, digit: string) =>
      `${born}-${digit}${'*'.repeat(MASKED_SIGNS - digit.length)}`,
  )

/** A floor in a list, alone or before its area. */
const FLOOR = /^((?:지하|옥탑)?\d{1,3})[중충총종증](?=$|\s+[\d,.]+㎡)/
/** Dust and edges of strokes, which no certificate prints. */
const DUST = /[`´]/g

/** Hangul text has no isolated vowels or consonants, so after a number they are ㎡. */
const LONE_METRE = /(?<=\d)\s?[ㅠㅁ]{1,2}(?![\d가-힣]?\d)/g

/** Corrects one text of a scan. @param read the text from OCR @param isNumber whether it is in the column of ranks and numbers */
export const correctText = (read: string, isNumber: boolean): string => {
  const text = read.replace(DUST, '')
  const squeezed = squeeze(text)
  if (isNumber && RANK.test(squeezed)) return likeDigits(squeezed).replace(/[–—~]/g, '-')
  const previous = isNumber ? PREVIOUS.exec(squeezed)?.[1] : undefined
  if (previous !== undefined) return `(전 ${likeDigits(previous)})`
  const receipt = RECEIPT.exec(squeezed)?.[1]
  if (receipt !== undefined) return `제${likeDigits(receipt)}호`
  const amount = AMOUNT.exec(squeezed)
  if (amount !== null) return `금${(amount[2] ?? '').replaceAll('.', ',')}원${amount[4] ?? ''}`
  const known = correctMask(correctAroundNumbers(correctDate(text)))
  return correctPhrase(correctArea(known).replace(LONE_METRE, '㎡').replace(FLOOR, '$1층'))
}
