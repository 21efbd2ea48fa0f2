/**
 * `${root.path}` references inside manifest texts (`.name`, `[0]`, `["a b"]`) [flows 3.3]. Values are reached through own
 * properties only, so that `constructor`, `__proto__` and the like are never found.
 */
import type { JsonValue } from '../json/value.ts'

export type PathStep = string | number

/** Keys of steps may begin with a digit, and fields of results may have names in any language. */
const NAME = String.raw`[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$-]*`
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`

/** One step: `.name`, `[0]`, `["a b"]` or `['a b']`. */
const STEP = new RegExp(String.raw`\.(${NAME})|\[(\d{1,9})\]|\[(${QUOTED})\]`, 'uy')

/** A whole path, for a larger pattern with the flag `u`. */
export const PATH = String.raw`(?:\.${NAME}|\[\d{1,9}\]|\[(?:${QUOTED})\])*`

/** Returns the steps of `text` (`.a[0]["b c"]`), or null if it is not a path. */
export const parsePath = (text: string): readonly PathStep[] | null => {
  const steps: PathStep[] = []
  STEP.lastIndex = 0
  let at = 0
  while (at < text.length) {
    STEP.lastIndex = at
    const match = STEP.exec(text)
    if (match === null) return null
    const [whole, name, index, quoted = ''] = match
    if (name !== undefined) steps.push(name)
    else if (index !== undefined) steps.push(Number(index))
    else steps.push(quoted.slice(1, -1).replace(/\\(.)/g, '$1'))
    at += whole.length
  }
  return steps
}

/** Returns the value at `path`, or undefined if a step is missing. */
export const valueAt = (value: JsonValue, path: readonly PathStep[]): JsonValue | undefined => {
  let current: JsonValue | undefined = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined
    if (Array.isArray(current) && typeof step !== 'number') return undefined
    const own = Object.getOwnPropertyDescriptor(current, step)
    current = own === undefined ? undefined : own.value
  }
  return current
}
