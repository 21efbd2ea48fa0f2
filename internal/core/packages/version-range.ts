/** Whether a version fits a range of an `npm:` specifier: `1`, `1.2`, `1.2.x`, `^1.2.3`, `~1.2.3`, `*`. Pure. */

type Version = readonly [number, number, number]

const parse = (text: string): Version | null => {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(text) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

const RANGE = /^([~^]?)v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?$/i
const toNumber = (part: string | undefined): number | null =>
  part === undefined || /[x*]/i.test(part) ? null : Number(part)

/** Returns how many leading parts of a version a range fixes. */
const fixedParts = (sign: string, parts: readonly (number | null)[]): number => {
  const given = parts.indexOf(null) < 0 ? parts.length : parts.indexOf(null)
  if (sign === '~') return Math.min(given, 2)
  if (sign !== '^') return given
  const firstOther = parts.findIndex((part) => part !== 0)
  return Math.min(given, (firstOther < 0 ? parts.length - 1 : firstOther) + 1)
}

/** Returns null for a range of an unknown form. Prereleases fit only by equality. */
export const fitsRange = (version: string, range: string): boolean | null => {
  if (version === range || range === '' || range === '*' || range === 'latest') return true
  const [, sign = '', ...rest] = RANGE.exec(range) ?? []
  if (rest.length === 0) return null
  const found = parse(version)
  if (found === null) return false
  const parts = [0, 1, 2].map((at) => toNumber(rest[at]))
  const least: Version = [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0]
  const fixed = fixedParts(sign, parts)
  const isSame = least.slice(0, fixed).every((part, at) => found[at] === part)
  return isSame && compare(found, least) >= 0
}
