/** Reads and writes the heads of HTTP messages that the proxy passes on. Bodies pass as they are. Pure. */
import { REFUSED_HEADER } from '../protocol/messages.ts'

export type Field = Readonly<{ name: string; value: string }>

export type RequestHead = Readonly<{
  method: string
  /** An absolute URL, or `host:port` of CONNECT. */
  target: string
  /** `HTTP/1.1` or `HTTP/1.0`. */
  version: string
  fields: readonly Field[]
}>

export type ResponseHead = Readonly<{
  version: string
  status: number
  reason: string
  fields: readonly Field[]
}>

/** Fields that apply to one connection, which a proxy does not forward (RFC 9110, 7.6.1). Those of the body stay with it. */
const HOP_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'upgrade',
  // only the proxy itself may set it
  REFUSED_HEADER,
])

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) (HTTP\/1\.[01])$/
const STATUS_LINE = /^(HTTP\/1\.[01]) (\d{3})(?: (.*))?$/
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/
/** A value may go on in the next line (RFC 9112, 5.2), where a field could hide. */
const FOLD = /\r\n[ \t]+/g

/** @returns null if the text is not a head */
const parse = (
  head: string,
  line: RegExp,
): Readonly<{ start: readonly string[]; fields: readonly Field[] }> | null => {
  const [first = '', ...others] = head.trimEnd().replaceAll(FOLD, ' ').split('\r\n')
  const start = line.exec(first)
  const fields: Field[] = []
  for (const other of others) {
    const [, name, value = ''] = FIELD.exec(other) ?? []
    if (name === undefined) return null
    fields.push({ name, value: value.trimEnd() })
  }
  return start === null ? null : { start, fields }
}

/** @returns null if it is not the head of a request */
export const parseRequestHead = (head: string): RequestHead | null => {
  const parsed = parse(head, REQUEST_LINE)
  if (parsed === null) return null
  const [, method = '', target = '', version = ''] = parsed.start
  return { method, target, version, fields: parsed.fields }
}

/** @returns null if it is not the head of a response */
export const parseResponseHead = (head: string): ResponseHead | null => {
  const parsed = parse(head, STATUS_LINE)
  if (parsed === null) return null
  const [, version = '', status = '', reason = ''] = parsed.start
  return { version, status: Number(status), reason, fields: parsed.fields }
}

/** The value of a field; null if there is none. */
export const fieldOf = ({ fields }: Pick<RequestHead, 'fields'>, wanted: string): string | null =>
  fields.find(({ name }) => name.toLowerCase() === wanted)?.value ?? null

/** Returns the fields that a proxy forwards. @param but further names to leave out, in lower case */
export const toForward = (
  fields: readonly Field[],
  but: readonly string[] = [],
): readonly Field[] =>
  fields.filter(({ name }) => {
    const key = name.toLowerCase()
    return !HOP_FIELDS.has(key) && !but.includes(key)
  })

/** @param start the first line */
export const writeHead = (start: string, fields: readonly Field[]): string =>
  [start, ...fields.map(({ name, value }) => `${name}: ${value}`), '', ''].join('\r\n')
