/** Status and headers of the response of a function, which a guest may write in any form. */
import { z } from 'zod'
import { setsOwnCookie } from '#core/function/shared-origin.ts'
import { scanJson } from '#core/json/scan.ts'
import { parseJsonOrNull } from '#core/json/value.ts'

const MAX_HEADERS = 200

/** What HTTP can carry. Otherwise the listener would end the connection, on which a proxy may have calls of others. */
const header = z.tuple([
  z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/),
  // `Headers` drops blanks around a value, such as the line feed at the end of a file
  z
    .string()
    .trim()
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/),
])

export const head = z.object({
  status: z.int().min(200).max(599),
  headers: z.array(header).max(MAX_HEADERS),
})
export type Head = z.infer<typeof head>
export const whole = head.extend({ body: z.string().nullable() })

/** Bounds of the JSON of a response: the object, its list of headers, and a pair for each. */
const BOUNDS = { depth: 3, containers: MAX_HEADERS + 2 } as const

const MAX_SHOWN = 100
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'none'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const TOO_MANY_HEADERS = `The response of the function has more than ${MAX_HEADERS} headers.`

const given = z.object({ status: z.unknown(), headers: z.array(z.array(z.unknown())).catch([]) })

/** Returns what is wrong. It does not contain the value of a header, which may be secret. */
const faultOf = (parsed: unknown, [field, at, part]: readonly PropertyKey[]): string => {
  const { data } = given.safeParse(parsed)
  if (data !== undefined && field === 'status') {
    return `The response of the function has the status ${shown(data.status)}; it must be 200 to 599.`
  }
  if (data !== undefined && field === 'headers') {
    if (data.headers.length > MAX_HEADERS) return TOO_MANY_HEADERS
    const [name] = data.headers[Number(at)] ?? []
    if (part === 0)
      return `The response of the function has a header with the name ${shown(name)}, which HTTP cannot carry.`
    if (part === 1)
      return `The response of the function has a value of the header ${shown(name)} that HTTP cannot carry.`
  }
  return 'The function returned no valid HTTP response.'
}

export type Reading<Made> = Readonly<{ made: Made; fault?: never } | { fault: string }>

/** Reads the JSON of a response within bounds, because a guest may write it itself. */
export const readResponse = <Made extends Head>(
  text: string,
  shape: z.ZodType<Made>,
): Reading<Made> => {
  const verdict = scanJson(text, BOUNDS)
  if (verdict === 'too_many') return { fault: TOO_MANY_HEADERS }
  const parsed = verdict === 'valid' ? parseJsonOrNull(text) : null
  const { data, error } = shape.safeParse(parsed)
  return data === undefined
    ? { fault: faultOf(parsed, error?.issues[0]?.path ?? []) }
    : { made: data }
}

/** Response headers that a function may not set: those of the connection, and those that make a proxy serve its own files. */
const RESERVED_HEADERS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  // svc sends no trailers, and node:http fails for a response that announces some and has a length
  'trailer',
  'upgrade',
  'content-length',
  'x-accel-redirect',
  'x-sendfile',
  'x-lighttpd-send-file',
  'x-reproxy-url',
]

/** Returns the headers without those that a function may not set. */
export const toHeaders = ({ headers }: Head): Headers => {
  const made = new Headers()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    if (RESERVED_HEADERS.includes(key) || (key === 'set-cookie' && setsOwnCookie(value))) continue
    made.append(name, value)
  }
  return made
}
