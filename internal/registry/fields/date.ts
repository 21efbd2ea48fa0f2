/** Finds dates and times in text. */
/** The first year of 단기 is that many years before the first of our calendar. */
const DANGI = -2333
/** The year before the first of an era. Registers before 1962 count by 단기, those before 1945 by reigns. */
const ERAS: Readonly<Record<string, number>> = {
  단기: DANGI,
  檀紀: DANGI,
  명치: 1867,
  明治: 1867,
  대정: 1911,
  大正: 1911,
  소화: 1925,
  昭和: 1925,
}
const DATE = new RegExp(
  `(?:(${Object.keys(ERAS).join('|')})\\s*(\\d{1,4})|(?:서기\\s*)?(\\d{4}))` +
    '\\s*[년年]\\s*(\\d{1,2})\\s*[월月]\\s*(\\d{1,2})\\s*[일日]',
)
/** Years of 단기 from the first registers to the end of this era, 1906 to 1961. No other year is as large. */
const isDangi = (year: number): boolean => year >= 4239 && year <= 4294
const PLAIN_DATE = /(?<!\d)()()(\d{4})[./-]\s?(\d{1,2})[./-]\s?(\d{1,2})(?!\d)(?:\.(?!\d))?/
/** Older prints count the hours by halves of a day. */
const TIME = /(오전|오후)?\s*(\d{1,2})\s*시\s*(\d{1,2})\s*분\s*(\d{1,2})\s*초/

type FoundDate = Readonly<{ date: string; start: number; end: number }>

const toDate = (found: RegExpExecArray): string => {
  const [, era = '', ofEra = '', printed = '', month = '', day = ''] = found
  const plain = Number(printed) + (isDangi(Number(printed)) ? DANGI : 0)
  const year = printed === '' ? Number(ofEra) + (ERAS[era] ?? 0) : plain
  return `${String(year).padStart(4, '0')}년 ${month.padStart(2, '0')}월 ${day.padStart(2, '0')}일`
}

/** The first date of a text, in the format of the parser: `2016년 10월 13일`. */
export const findDate = (text: string): FoundDate | null => {
  const found = DATE.exec(text) ?? PLAIN_DATE.exec(text)
  if (found === null) return null
  return { date: toDate(found), start: found.index, end: found.index + found[0].length }
}

const ALL_DATES = new RegExp(DATE, 'g')
const ALL_PLAIN_DATES = new RegExp(PLAIN_DATE, 'g')

/**
 * Returns the text with each date in the format of the parser. Plain dates count only after the last other one. Each pattern
 * reads the text once, because a hostile text may consist of dates.
 */
export const withFullDates = (text: string): string => {
  let done = ''
  let rest = text
  for (const pattern of [ALL_DATES, ALL_PLAIN_DATES]) {
    let end = 0
    for (const found of rest.matchAll(pattern)) {
      done += rest.slice(end, found.index) + toDate(found)
      end = found.index + found[0].length
    }
    rest = rest.slice(end)
  }
  return done + rest
}

/** The hour of the day. 오후 12시 is noon. */
const hourOf = (half: string, printed: number): string =>
  String((printed % 12) + (half === '오후' ? 12 : 0))

/** The first date with a time, such as `2025년 04월 01일 13시 06분 16초`, or null. */
export const findMoment = (text: string): string | null => {
  const day = findDate(text)
  const time = day === null ? null : TIME.exec(text.slice(day.end))
  if (day === null || time === null) return null
  const [, half, printed = '', minute = '', second = ''] = time
  const hour = half === undefined ? printed : hourOf(half, Number(printed))
  const two = (digits: string) => digits.padStart(2, '0')
  return `${day.date} ${two(hour)}시 ${two(minute)}분 ${two(second)}초`
}
