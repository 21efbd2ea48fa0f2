/** Limits the memory of this process that all uploads use together. */
import { type AppError, unavailable } from '#core/error.ts'
import { createTally } from '#core/fairness/tally.ts'

export type Upload = Readonly<{
  /** @throws {AppError} unavailable: other uploads use too much */
  take: (bytes: number) => void
  /** Gives all of it back. */
  end: () => void
}>

/** An owner may hold an upload for as long as it sends slowly, so one owner never holds all. */
const SHARE_OF_OWNER = 0.75

const tooMany = (): AppError =>
  unavailable('Too many files are on their way. Try again shortly.', {
    code: 'parser_busy',
    retryAfterS: 5,
  })

/** @returns opens an upload of an owner, the workspace */
export const createUploadBudget = (maxBytes: number): ((owner: string) => Upload) => {
  const owners = createTally()
  let held = 0
  return (owner) => {
    let mine = 0
    return {
      take: (bytes) => {
        if (held + bytes > maxBytes || owners.of(owner) + bytes > maxBytes * SHARE_OF_OWNER) {
          throw tooMany()
        }
        held += bytes
        mine += bytes
        owners.add(owner, bytes)
      },
      end: () => {
        owners.add(owner, -mine)
        held -= mine
        mine = 0
      },
    }
  }
}
