/** Reads a package.json, and resolves its `exports` and `imports` by Node's rules (Node.js documentation, Modules: Packages). Pure. */
import { isJsonObject, parseJsonOrNull } from '#core/json/value.ts'
import { hasMoreValuesThan } from '#core/json/values.ts'
import { limit } from '#core/limit.ts'
import type { FileLookup } from './file-lookup.ts'

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
  gypfile?: unknown
  binary?: unknown
  napi?: unknown
}>

const MAX_BYTES = limit(
  'app.package_json_bytes',
  2 * 1_024 * 1_024,
  'bytes',
  'A `package.json` of an app or a package. svc does not read a larger one.',
)
/** Nothing else runs while these are parsed. */
const MAX_VALUES = limit(
  'app.package_json_values',
  60_000,
  'items',
  'Values, lists and objects in a `package.json`. svc does not read one with more.',
)

/** Parses a package.json. Invalid JSON gives an empty manifest, so that the package's index file is tried. */
const parsePackage = (bytes: Uint8Array): PackageManifest => {
  if (bytes.length > MAX_BYTES) return {}
  const text = new TextDecoder().decode(bytes)
  if (hasMoreValuesThan(text, MAX_VALUES)) return {}
  const parsed = parseJsonOrNull(text)
  return isJsonObject(parsed) ? parsed : {}
}

/** Each is parsed once: thousands of imports may read the same one, and it may have megabytes. */
const manifests = new WeakMap<Uint8Array, PackageManifest>()

/** @returns null if the folder has no package.json */
export const readPackage = (files: FileLookup, folder: string): PackageManifest | null => {
  const bytes = files.get(folder === '' ? 'package.json' : `${folder}/package.json`)
  if (bytes === undefined) return null
  const manifest = manifests.get(bytes) ?? parsePackage(bytes)
  manifests.set(bytes, manifest)
  return manifest
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
