/** Reads of all further cells. */
import type { Database } from '#store/database.ts'
import type { Deps } from '../deps.ts'

/** What each cell answers that does answer. Where an answer is missing the rest must serve: a cell stands for its own workspaces. */
export const askCells = async <Answer>(
  { furtherCells }: Pick<Deps, 'furtherCells'>,
  read: (db: Database, name: string) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const answers = await Promise.allSettled(
    furtherCells().flatMap(({ name, db }) => (db === null ? [] : [read(db, name)])),
  )
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}
