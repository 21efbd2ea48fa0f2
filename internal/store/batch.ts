/** Turns a named batch into the list of statements that a backend runs, and maps the results back to the names. */
import type {
  AnyBatch,
  BatchResults,
  NamedBatch,
  SqlValue,
  Statement,
  StatementResult,
} from './database.ts'

const isList = (batch: AnyBatch): batch is readonly Statement[] => Array.isArray(batch)

/** Returns the statements of a batch in the order in which they run. */
export const statementsOf = (batch: AnyBatch): readonly Statement[] =>
  isList(batch) ? batch : Object.values(batch).flatMap((part) => part ?? [])

const sizeOf = (value: SqlValue): number =>
  typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 0

/** Returns the total size of the texts and blobs of a row, in characters and bytes. */
export const sizeOfRow = (row: readonly SqlValue[]): number => {
  let size = 0
  for (const value of row) size += sizeOf(value)
  return size
}

/** Returns the total size of the texts and blobs in the statements, in characters and bytes. */
export const sizeOfValues = (statements: readonly Statement[]): number => {
  let size = 0
  for (const { args } of statements) size += sizeOfRow(args)
  return size
}

const byName = (batch: NamedBatch, results: readonly StatementResult[]) => {
  let at = 0
  const next = (): StatementResult => {
    const result = results[at]
    if (result === undefined) throw new Error('The database gave fewer results than statements.')
    at += 1
    return result
  }
  return Object.fromEntries(
    Object.entries(batch).map(([name, part]) => [
      name,
      part === null ? null : 'sql' in part ? next() : part.map(next),
    ]),
  )
}

/** Gives the results of `statementsOf(batch)` the shape of the batch. */
export const resultsOf = <B extends AnyBatch>(
  batch: B,
  results: readonly StatementResult[],
): BatchResults<B> => (isList(batch) ? results : byName(batch, results)) as BatchResults<B>
