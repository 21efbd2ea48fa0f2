/** Limits the memory of this process that all uploads use together. */
import { AppError } from '#core/error.ts'

export type Upload = Readonly<{
  /** @throws {AppError} unavailable: other uploads use too much */
  take: (bytes: number) => void
  /** Gives all of it back. */
  end: () => void
}>

export const createUploadBudget = (maxBytes: number): (() => Upload) => {
  let held = 0
  return () => {
    let mine = 0
    return {
      take: (bytes) => {
        if (held + bytes > maxBytes) {
          const options = { code: 'parser_busy', retryAfterS: 5 }
          throw new AppError(
            'unavailable',
            'Too many files are on their way. Try again shortly.',
            options,
          )
        }
        held += bytes
        mine += bytes
      },
      end: () => {
        held -= mine
        mine = 0
      },
    }
  }
}
