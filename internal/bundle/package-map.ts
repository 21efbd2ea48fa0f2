/** Resolves `exports` and `imports` of a package.json by Node's rules (Node.js documentation, Modules: Packages). Pure. */
import { isJsonObject, parseJsonOrNull } from '#core/json/value.ts'

export type PackageManifest = Readonly<{
  version?: unknown
  type?: unknown
  dependencies?: unknown
  peerDependencies?: unknown
  peerDependenciesMeta?: unknown
  main?: unknown
  module?: unknown
  exports?: unknown
  imports?: unknown
}>

/** Parses a package.json. Invalid JSON gives an empty manifest, so that the package's index file is tried. */
export const parsePackage = (text: string): PackageManifest => {
  const parsed = parseJsonOrNull(text)
  return isJsonObject(parsed) ? parsed : {}
}

/** Returns the path of a target, for example `./dist/x.js`; null when no condition matches. */
const resolveTarget = (
  target: unknown,
  star: string,
  conditions: ReadonlySet<string>,
): string | null => {
  if (typeof target === 'string') return target.replaceAll('*', () => star)
  if (Array.isArray(target)) {
    for (const choice of target) {
      const found = resolveTarget(choice, star, conditions)
      if (found !== null) return found
    }
    return null
  }
  if (!isJsonObject(target)) return null
  for (const [condition, choice] of Object.entries(target)) {
    if (!conditions.has(condition)) continue
    const found = resolveTarget(choice, star, conditions)
    if (found !== null) return found
  }
  return null
}

type Match = Readonly<{ target: unknown; star: string }>

type Pattern = Readonly<{ prefix: string; suffix: string; target: unknown }>
/** What the keys of a map are: subpaths or conditions; and those with a `*`. */
type MapKeys = Readonly<{ areSubpaths: boolean; patterns: readonly Pattern[] }>

const readKeys = (map: Readonly<Record<string, unknown>>): MapKeys => ({
  areSubpaths: Object.keys(map).some((name) => /^[.#]/.test(name)),
  patterns: Object.entries(map).flatMap(([pattern, target]) => {
    const [prefix = '', suffix] = pattern.split('*', 2)
    return suffix === undefined ? [] : [{ prefix, suffix, target }]
  }),
})

/** Keys are read once for all imports, because a map may have tens of thousands. */
const keysByMap = new WeakMap<object, MapKeys>()

const keysOf = (map: Readonly<Record<string, unknown>>): MapKeys => {
  const keys = keysByMap.get(map) ?? readKeys(map)
  keysByMap.set(map, keys)
  return keys
}

const matchPattern = (patterns: readonly Pattern[], key: string): Match | null => {
  let best: Readonly<{ prefix: string; match: Match }> | null = null
  for (const { prefix, suffix, target } of patterns) {
    if (!key.startsWith(prefix) || !key.endsWith(suffix)) continue
    if (key.length < prefix.length + suffix.length) continue
    const star = key.slice(prefix.length, key.length - suffix.length)
    if (best === null || prefix.length > best.prefix.length) {
      best = { prefix, match: { target, star } }
    }
  }
  return best?.match ?? null
}

/**
 * Resolves one key of a map; returns null when it has no target under these conditions.
 * @param map the value of `exports` or `imports`
 * @param key `.`, `./feature` or `#name`
 */
export const resolveInMap = (
  map: unknown,
  key: string,
  conditions: ReadonlySet<string>,
): string | null => {
  const keys = isJsonObject(map) ? keysOf(map) : null
  if (!isJsonObject(map) || keys?.areSubpaths !== true) {
    return key === '.' ? resolveTarget(map, '', conditions) : null
  }
  const exact = Object.hasOwn(map, key) ? { target: map[key], star: '' } : null
  const match = exact ?? matchPattern(keys.patterns, key)
  return match === null ? null : resolveTarget(match.target, match.star, conditions)
}
