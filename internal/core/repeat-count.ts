/** Keeps a log short while something fails again and again, because the log may be on the disk that is full. */

const EVERY_MS = 10_000

/**
 * Counts equal messages of one process. The returned function takes a message, of which there are a few, and returns how many times
 * it came since its last line; null if that line is younger than 10 s, and the message gets none.
 * @param now milliseconds of a steady clock
 */
export const createRepeatCount = (now: () => number) => {
  const logged = new Map<string, { at: number; unlogged: number }>()
  return (message: string): number | null => {
    const last = logged.get(message)
    if (last !== undefined && now() - last.at < EVERY_MS) {
      last.unlogged += 1
      return null
    }
    logged.set(message, { at: now(), unlogged: 0 })
    return 1 + (last?.unlogged ?? 0)
  }
}
