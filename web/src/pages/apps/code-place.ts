/** A file and a line of an app's code; stored in the address. Pure. */
import { defined, textParam } from '../../kit/search.ts'

export type CodePlace = Readonly<{ file?: string; line?: number }>

const MAX_PATH = 1_000
const MAX_LINE = 1_000_000

const lineOf = (given: unknown): number | undefined =>
  typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= MAX_LINE
    ? given
    : undefined

export const readPlace = ({ file, line }: Record<string, unknown>): CodePlace =>
  defined({ file: textParam(file, MAX_PATH), line: lineOf(line) })
