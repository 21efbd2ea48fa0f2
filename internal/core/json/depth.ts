import { limit } from '../limit.ts'
import { COMMA, OPEN_LIST, OPEN_OBJECT } from './characters.ts'
import { nextMark } from './marks.ts'

/** Parsers of JSON recurse, so deeper values could exhaust the stack. */
export const MAX_JSON_DEPTH = limit(
  'job.json_depth',
  64,
  'levels',
  'Nesting of JSON in inputs, results, flow data and state.',
)

/** Whether objects and arrays in `text` nest deeper than `limit`. Reads the text once, without parsing it. */
export const isDeeperThan = (text: string, limit: number): boolean => {
  let depth = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    const code = text.charCodeAt(at)
    if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1
    else if (code !== COMMA) depth -= 1
    if (depth > limit) return true
  }
  return false
}
