/** Status and headers of the response of a function, which a guest may write in any form. */
import { z } from 'zod'
import { setsOwnCookie } from '#core/function/shared-origin.ts'

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
  headers: z.array(header).max(200),
})
export type Head = z.infer<typeof head>

/** Response headers that a function may not set: those of the connection, and those that make a proxy serve its own files. */
const RESERVED_HEADERS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
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
