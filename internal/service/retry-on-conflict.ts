/** Repeats a change that loses against concurrent changes of the same rows. */

const TRIES = 5

/**
 * Runs `change` until it succeeds.
 * @param change reads, computes and writes once; returns null if a concurrent change won
 * @param failure builds the error after the last attempt
 * @param tries @default 5
 */
export const retryOnConflict = async <T>(
  change: (attempt: number) => Promise<T | null>,
  failure: () => Error,
  tries = TRIES,
): Promise<T> => {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const changed = await change(attempt)
    if (changed !== null) return changed
  }
  throw failure()
}
