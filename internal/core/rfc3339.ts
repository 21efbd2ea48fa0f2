/** Times as callers write them. */
import { z } from 'zod'

const time = z.iso.datetime({ offset: true })

/** @returns milliseconds since 1970; null if the text is not a time in RFC 3339 */
export const parseTime = (text: string): number | null =>
  time.safeParse(text).success ? Date.parse(text) : null
