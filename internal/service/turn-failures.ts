/**
 * What fails in a turn of a duty. A row that cannot be read, such as one of a workspace with a damaged key, fails at every turn.
 * The rows behind it must not wait for it.
 */
import { DatabaseError } from '#store/database.ts'

export interface TurnFailures {
  /**
   * Does a part of the turn. A failure is kept, so that the other parts are done too.
   * @returns `otherwise` if the part fails
   * @throws {DatabaseError} the database does not answer, so that the other parts would fail too
   */
  keep<T, O>(part: () => Promise<T>, otherwise: O): Promise<T | O>
  /** Keeps the failure of a part. */
  note(error: unknown): void
  /** Ends the turn. @throws {Error} the first failure that was kept since the last call */
  throwFirst(): void
}

/** Creates the record of one turn, without a failure. */
export const createTurnFailures = (): TurnFailures => {
  const kept: unknown[] = []
  const note = (error: unknown): void => void kept.push(error)
  return {
    note,
    keep: async (part, otherwise) => {
      try {
        return await part()
      } catch (error) {
        if (error instanceof DatabaseError && error.kind === 'unavailable') throw error
        note(error)
        return otherwise
      }
    },
    throwFirst: () => {
      const failures = kept.splice(0)
      if (failures.length > 0) throw failures[0]
    },
  }
}
