/** Durations as Go writes them: `90s`, `1h30m`, `1.5h`, `250ms`. */

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

const WHOLE = /^(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h)/

/** Milliseconds, or null when the text is not such a duration. A sign is refused, because time runs forward. */
export const parseGoDuration = (text: string): number | null => {
  if (text === '' || text.length > 64) return null
  let total = 0
  for (let rest = text; rest !== ''; ) {
    const [part] = WHOLE.exec(rest) ?? []
    if (part === undefined) return null
    const unit = part.replace(/^[\d.]+/, '')
    total += Number.parseFloat(part) * (UNIT_MS[unit] ?? Number.NaN)
    rest = rest.slice(part.length)
  }
  return total
}
