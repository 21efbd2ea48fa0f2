/** A day as whole days since 1970, so that days are compared and counted as numbers. */
export type Day = number

export const dayOf = (year: number, month: number, day: number): Day =>
  Date.UTC(year, month - 1, day) / 86_400_000

const parts = (day: Day): { year: number; month: number; date: number } => {
  const instant = new Date(day * 86_400_000)
  return {
    year: instant.getUTCFullYear(),
    month: instant.getUTCMonth() + 1,
    date: instant.getUTCDate(),
  }
}
const two = (value: number): string => String(value).padStart(2, '0')

export const yearOf = (day: Day): number => parts(day).year

/** How receipts and causes print it: `2016년9월22일`. */
export const tight = (day: Day): string => {
  const { year, month, date } = parts(day)
  return `${year}년${month}월${date}일`
}
/** How running text prints it: `2016년 9월 22일`. */
export const loose = (day: Day): string => {
  const { year, month, date } = parts(day)
  return `${year}년 ${month}월 ${date}일`
}
/** How the parser answers it, and how notes of computerisation print it: `2016년 09월 22일`. */
export const padded = (day: Day): string => {
  const { year, month, date } = parts(day)
  return `${year}년 ${two(month)}월 ${two(date)}일`
}
/** How the foot prints it: `2025년04월01일`. */
export const tightPadded = (day: Day): string => padded(day).replaceAll(' ', '')
/** How an issue copy prints it: `2024/06/20`. */
export const slashed = (day: Day): string => {
  const { year, month, date } = parts(day)
  return `${year}/${two(month)}/${two(date)}`
}

export type ClockTime = { readonly hour: number; readonly minute: number; readonly second: number }
export const tightTime = ({ hour, minute, second }: ClockTime): string =>
  `${two(hour)}시${two(minute)}분${two(second)}초`
export const spacedTime = ({ hour, minute, second }: ClockTime): string =>
  `${two(hour)}시 ${two(minute)}분 ${two(second)}초`
/** How the summary prints it: `오후 1시36분53초`. */
export const halfDayTime = ({ hour, minute, second }: ClockTime): string =>
  `${hour < 12 ? '오전' : '오후'} ${hour % 12 === 0 ? 12 : hour % 12}시${two(minute)}분${two(second)}초`
