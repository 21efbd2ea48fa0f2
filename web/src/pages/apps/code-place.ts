/** A file and a line of an app's code; stored in the address. Pure. */
import { defined, lineParam, textParam } from '../../kit/search.ts'

export type CodePlace = Readonly<{ file?: string; line?: number }>

const MAX_PATH = 1_000

export const readPlace = ({ file, line }: Record<string, unknown>): CodePlace =>
  defined({ file: textParam(file, MAX_PATH), line: lineParam(line) })
