import { asTextOrNull } from '#store/column.ts'
import type { StatementResult } from '#store/database.ts'

/** Returns the texts that the statements of a write have returned in a column, each once. */
export const returnedTexts = (
  results: readonly StatementResult[],
  column: string,
): ReadonlySet<string> =>
  new Set(
    results.flatMap(({ rows }) => rows.flatMap((row) => asTextOrNull(row[column] ?? null) ?? [])),
  )
