/** The diffs of the files that a draft changes, for the plan. Pure. */
import type { Schemas } from '#sdk/client.ts'
import { diffLines, type Hunk, toHunks } from '../../ui/code/diff-lines.ts'

export type FileChange = Schemas['DraftFileChange']

export type FileDiff = Readonly<{ hunks: readonly Hunk[]; added: number; removed: number }>

/** The first files are open, up to this number, if they are not longer than this. */
const MOST_OPEN = 10
const MOST_CHARACTERS = 20_000
const MOST_LINES = 120

const linesOf = (text: string | null): readonly string[] =>
  text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n')

/** Null if the text of the file is not known. */
export const diffOf = ({ before, after }: FileChange): FileDiff | null => {
  if (before === null && after === null) return null
  const lines = diffLines(linesOf(before), linesOf(after))
  const count = (wanted: string): number => lines.filter(({ kind }) => kind === wanted).length
  return { hunks: toHunks(lines), added: count('added'), removed: count('removed') }
}

/** The diff of a file that is short enough to be open initially; undefined for other files. */
export const openDiffOf = (file: FileChange, at: number): FileDiff | null | undefined => {
  const size = (file.before ?? '').length + (file.after ?? '').length
  if (at >= MOST_OPEN || size > MOST_CHARACTERS) return undefined
  const diff = diffOf(file)
  return diff === null || diff.added + diff.removed <= MOST_LINES ? diff : undefined
}
