/** Reads from all further cells. */
import type { Database } from '#store/database.ts'
import type { Deps } from '../deps.ts'

/**
 * Returns the results of the cells that answer. The others are left out, so that a cell that is away affects
 * only its own workspaces.
 */
export const askCells = async <Answer>(
  { furtherCells }: Pick<Deps, 'furtherCells'>,
  read: (db: Database, name: string) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const answers = await Promise.allSettled(
    furtherCells().flatMap(({ name, db }) => (db === null ? [] : [read(db, name)])),
  )
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}
