/** A file and a line of an app's code; stored in the address. Pure. */
import { defined, textParam } from '../../kit/search.ts'

export type CodePlace = Readonly<{ file?: string; line?: number }>

const MAX_PATH = 1_000
const MAX_LINE = 1_000_000

/** A link of the console gives a number, and an address a text. */
const lineOf = (given: unknown): number | undefined => {
  const line = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  return typeof line === 'number' && Number.isInteger(line) && line >= 1 && line <= MAX_LINE
    ? line
    : undefined
}

export const readPlace = ({ file, line }: Record<string, unknown>): CodePlace =>
  defined({ file: textParam(file, MAX_PATH), line: lineOf(line) })
