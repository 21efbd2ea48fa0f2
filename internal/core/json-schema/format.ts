/**
 * Formats that are checked. All others are annotations, as in the specification. Each check costs no more than a few passes
 * over a text, whose length is bounded first.
 */
import { isDate } from '../rfc3339.ts'

const MAX_LENGTH = 2_048

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+$/

const isTime = (text: string): boolean => {
  const [, hour, minute, second, zoneHour = '0', zoneMinute = '0'] = TIME.exec(text) ?? []
  return (
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 61 &&
    Number(zoneHour) < 24 &&
    Number(zoneMinute) < 60
  )
}

const isHostname = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((label) => LABEL.test(label))

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  return (
    local !== '' &&
    local.length <= 64 &&
    local.split('.').every((part) => LOCAL_PART.test(part)) &&
    isHostname(text.slice(at + 1))
  )
}

const isIpv4 = (text: string): boolean => {
  const parts = text.split('.')
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && +part < 256)
  )
}

const isIpv6 = (text: string): boolean =>
  /^[\da-f:.]+$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`)

const isUri = (text: string): boolean => /^[a-z][a-z\d+.-]*:\S*$/i.test(text) && URL.canParse(text)

const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['time', isTime],
  [
    'date-time',
    (text: string) =>
      /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  ],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uuid', (text: string) => UUID.test(text)],
])

/** Also returns true for a format that is not checked. */
export const hasFormat = (text: string, format: string): boolean => {
  const test = FORMATS.get(format)
  return test === undefined || (text.length <= MAX_LENGTH && test(text))
}

/** Returns the cost of `hasFormat`, in steps of a run. */
export const formatSteps = (text: string): number => 5 + Math.min(text.length, MAX_LENGTH) / 8
