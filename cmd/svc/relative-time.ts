/** Formats times for people relative to now. `--json` has the exact times. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** @param now milliseconds since 1970. @returns for example `3 minutes ago`; unchanged if the time is more than 30 days away */
export const relativeTime = (at: string | null, now: number = Date.now()): string | null => {
  if (at === null) return null
  const seconds = Math.round((Date.parse(at) - now) / 1_000)
  if (!(Math.abs(seconds) < 30 * 86_400)) return at
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return format.format(Math.trunc(seconds / size), unit)
}
