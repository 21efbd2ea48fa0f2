import { limit } from './limit.ts'

/** Parsers of JSON recurse, so deeper values could exhaust the stack. */
export const MAX_JSON_DEPTH = limit(
  'job.json_depth',
  64,
  'levels',
  'Nesting of JSON in inputs, results, flow data and state.',
)

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether objects and arrays in `text` nest deeper than `limit`. Reads the text once, without parsing it. */
export const isDeeperThan = (text: string, limit: number): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > limit) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}
