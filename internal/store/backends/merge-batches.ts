/** Merges adjacent equal batches of a group, because each statement has a fixed cost: large on a server, small on a file. */
import type { ManyRows, OneOfMany, Statement, StatementResult } from '../database.ts'
import type { Batch, BatchResult } from './group-commit.ts'

export type MergedBatches = Readonly<{
  statements: readonly Statement[]
  /** Converts the results of the statements to the results of each batch. */
  split: (results: readonly StatementResult[]) => readonly BatchResult[]
}>

/** Limit of characters in the rows of one statement. As JSON within JSON they may double, and a server limits message sizes. */
const MOST_CHARACTERS = 1_048_576

const charactersOf = ({ row }: OneOfMany): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** Returns the row of a batch that is one row and nothing else. */
const asOneOfMany = (batch: Batch): OneOfMany | null => {
  const one = batch[0]?.asMany
  return one !== undefined && one.many.length === batch.length ? one : null
}

const alone = (batch: Batch): MergedBatches => ({
  statements: batch,
  split: (results) => [results],
})

const together = (
  many: ManyRows,
  batches: readonly Batch[],
  ones: readonly OneOfMany[],
): MergedBatches => {
  const [first] = batches
  if (first !== undefined && ones.length === 1) return alone(first)
  const rows = ones.map(({ row }) => row)
  return {
    statements: many.toStatements(rows),
    split: (results) => many.split(rows, results),
  }
}

const toParts = (batches: readonly Batch[]): readonly MergedBatches[] => {
  const parts: MergedBatches[] = []
  let at = 0
  while (at < batches.length) {
    const batch = batches[at] ?? []
    const one = asOneOfMany(batch)
    if (one === null) {
      parts.push(alone(batch))
      at += 1
      continue
    }
    const ones: OneOfMany[] = []
    const start = at
    let characters = 0
    for (; at < batches.length; at += 1) {
      const next = asOneOfMany(batches[at] ?? [])
      if (next?.many !== one.many) break
      characters += charactersOf(next)
      if (ones.length > 0 && characters > MOST_CHARACTERS) break
      ones.push(next)
    }
    parts.push(together(one.many, batches.slice(start, at), ones))
  }
  return parts
}

/** Merges a group of batches. The order of the remaining statements is kept. */
export const mergeBatches = (batches: readonly Batch[]): MergedBatches => {
  const parts = toParts(batches)
  return {
    statements: parts.flatMap(({ statements }) => statements),
    split: (results) => {
      let at = 0
      return parts.flatMap(({ statements, split }) => {
        at += statements.length
        return split(results.slice(at - statements.length, at))
      })
    },
  }
}
