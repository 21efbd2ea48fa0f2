/** Writes many contents in small batches, because one large write would block the database for all others. */
import type { Statement } from '#store/database.ts'
import type { Deps } from '../deps.ts'

/** Characters or bytes of one batch, which takes about 5 ms. */
const MAX_SIZE = 1_048_576
const MAX_STATEMENTS = 400

export type SmallWrites = Readonly<{
  /** Adds statements that belong to one batch. Writes those before them if together they would be too large. */
  add: (statements: readonly Statement[], size: number) => Promise<void>
  /** Writes the rest. */
  end: () => Promise<void>
}>

/**
 * The statements may run twice, so they must have the same effect then.
 * @param onWritten called after each batch
 */
export const createSmallWrites = (
  { db }: Pick<Deps, 'db'>,
  onWritten: () => void = () => undefined,
): SmallWrites => {
  let batch: Statement[] = []
  let total = 0
  const write = async (): Promise<void> => {
    if (batch.length === 0) return
    await db.write(batch, { retry: true })
    batch = []
    total = 0
    onWritten()
  }
  return {
    add: async (statements, size) => {
      if (total + size > MAX_SIZE || batch.length + statements.length > MAX_STATEMENTS)
        await write()
      batch.push(...statements)
      total += size
    },
    end: write,
  }
}
