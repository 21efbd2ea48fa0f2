/** The files that a draft changes, as the plan shows them. Pure. */
import type { Schemas } from '#sdk/client.ts'
import { diffLines, type Hunk, toHunks } from '../../ui/diff-lines.ts'

export type FileChange = Schemas['DraftFileChange']

export type FileDiff = Readonly<{ hunks: readonly Hunk[]; added: number; removed: number }>

/** Files up to this one, and no longer than this, are open at once. */
const MOST_OPEN = 10
const MOST_CHARACTERS = 20_000
const MOST_LINES = 120

const linesOf = (text: string | null): readonly string[] =>
  text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n')

/** Null for a file whose text is not known. */
export const diffOf = ({ before, after }: FileChange): FileDiff | null => {
  if (before === null && after === null) return null
  const lines = diffLines(linesOf(before), linesOf(after))
  const count = (wanted: string): number => lines.filter(({ kind }) => kind === wanted).length
  return { hunks: toHunks(lines), added: count('added'), removed: count('removed') }
}

/** The diff of a file that is short enough to be open from the beginning; undefined for the others. */
export const openDiffOf = (file: FileChange, at: number): FileDiff | null | undefined => {
  const size = (file.before ?? '').length + (file.after ?? '').length
  if (at >= MOST_OPEN || size > MOST_CHARACTERS) return undefined
  const diff = diffOf(file)
  return diff === null || diff.added + diff.removed <= MOST_LINES ? diff : undefined
}
