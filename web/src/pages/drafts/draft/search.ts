/** Which file of a draft is open, and the line to begin with; stored in the address. */
import { defined, lineParam, textParam } from '../../../kit/search.ts'

export type DraftSearch = Readonly<{ file?: string; line?: number }>

const MAX_PATH = 255

export const readDraftSearch = ({ file, line }: Record<string, unknown>): DraftSearch =>
  defined({ file: textParam(file, MAX_PATH), line: lineParam(line) })
