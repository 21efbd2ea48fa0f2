/** Repeats a change that loses against concurrent changes of the same rows. */

/** How often a change is tried. Each loss means that another change was made, so many in a row are a burst of changes. */
export const MAX_TRIES = 20

/**
 * Runs `change` until it succeeds.
 * @param change reads, computes and writes once; returns null if a concurrent change won
 * @param failure builds the error after the last attempt
 */
export const retryOnConflict = async <T>(
  change: (attempt: number) => Promise<T | null>,
  failure: () => Error,
): Promise<T> => {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const changed = await change(attempt)
    if (changed !== null) return changed
  }
  throw failure()
}
