/**
 * Finds where `paths` and `baseUrl` of the nearest tsconfig.json lead an import of the app's own code, by TypeScript's rules
 * (TypeScript handbook, Modules: Reference, paths and baseUrl). Nothing leads outside of the app. Pure.
 */
import { limit } from '#core/limit.ts'
import type { FileLookup } from './file-lookup.ts'
import { folderOf, foldersUpwards, joinPath } from './module-path.ts'
import { packageFolderOf } from './native-addons.ts'
import { findOption, readTsconfig, type Tsconfig } from './tsconfig.ts'

/** Where an import may lead. */
export type PathTargets = Readonly<{
  /** Paths in the app, in the order in which they are tried; null for one outside. */
  targets: readonly (string | null)[]
  /** Whether an entry of `paths` with a name of its own leads there, and not `baseUrl` or `"*"`. */
  isNamed: boolean
}>

export type TsconfigPaths = Readonly<{
  /** Path of the nearest tsconfig.json. */
  path: string
  /** The files that state what counts. */
  files: readonly string[]
  /** What they extend by relative paths, and the app does not contain. */
  missing: readonly string[]
  /** Returns where an import that is not relative may lead. */
  lead(specifier: string): PathTargets
}>

/** Returns the paths that count for a file; null for the code of packages, and without a tsconfig.json. */
export type FindTsconfigPaths = (importer: string) => TsconfigPaths | null

/** Each import is compared with each of them. */
const MAX_PATTERNS = limit(
  'app.tsconfig_paths',
  500,
  'items',
  'Entries with `*` in `paths` of a tsconfig.json. svc does not read further ones.',
)
/** Each is looked for with every extension. */
const MAX_TARGETS = 20

type Pattern = Readonly<{ prefix: string; suffix: string; targets: readonly string[] }>
type Entries = Readonly<{
  exact: ReadonlyMap<string, readonly string[]>
  /** Those with a `*`, the longest prefix first. */
  patterns: readonly Pattern[]
}>

const isText = (value: unknown): value is string => typeof value === 'string'

const readEntries = (value: unknown): Entries => {
  const exact = new Map<string, readonly string[]>()
  const patterns: Pattern[] = []
  const all = typeof value === 'object' && value !== null ? Object.entries(value) : []
  for (const [name, listed] of all) {
    const targets = (Array.isArray(listed) ? listed : []).filter(isText).slice(0, MAX_TARGETS)
    const [prefix = '', suffix] = name.split('*')
    if (suffix === undefined) exact.set(name, targets)
    else if (patterns.length < MAX_PATTERNS) patterns.push({ prefix, suffix, targets })
  }
  return {
    exact,
    patterns: patterns.toSorted((one, other) => other.prefix.length - one.prefix.length),
  }
}

const CONFIG_DIR = /^\$\{configDir\}(?=\/|$)/

/** Joins a path of an option to the folder of the file that states it. */
const joinOption = (start: string, path: string, value: string): string | null => {
  if (value.startsWith('/')) return null
  return CONFIG_DIR.test(value)
    ? joinPath(folderOf(start), value.replace(CONFIG_DIR, '.'))
    : joinPath(folderOf(path), value)
}

type Base = Readonly<{ folder: string | null }>

/** Returns the folder of `baseUrl`: null if it is not stated, a folder of null if it is outside of the app. */
const baseOf = (start: string, tsconfig: Tsconfig): Base | null => {
  const stated = findOption(tsconfig, 'baseUrl')
  if (stated === null || !isText(stated.value)) return null
  return { folder: joinOption(start, stated.path, stated.value) }
}

const createPaths = (app: FileLookup, start: string): TsconfigPaths => {
  const tsconfig = readTsconfig(app, start)
  const base = baseOf(start, tsconfig)
  const stated = findOption(tsconfig, 'paths')
  const { exact, patterns } = readEntries(stated?.value)
  const toTarget = (target: string, star: string): string | null => {
    const path = target.replace('*', () => star)
    if (base === null || CONFIG_DIR.test(path)) return joinOption(start, stated?.path ?? '', path)
    return base.folder === null || path.startsWith('/') ? null : joinPath(base.folder, path)
  }
  const lead = (specifier: string): PathTargets => {
    const own = exact.get(specifier)
    const found = patterns.find(
      ({ prefix, suffix }) =>
        specifier.length >= prefix.length + suffix.length &&
        specifier.startsWith(prefix) &&
        specifier.endsWith(suffix),
    )
    const star =
      found === undefined
        ? ''
        : specifier.slice(found.prefix.length, specifier.length - found.suffix.length)
    const targets = (own ?? found?.targets ?? []).map((target) => toTarget(target, star))
    const below = base === null || base.folder === null ? [] : [joinPath(base.folder, specifier)]
    return {
      targets: [...targets, ...below],
      isNamed: own !== undefined || (found !== undefined && found.prefix !== ''),
    }
  }
  const files = tsconfig.files.map(({ path }) => path)
  return { path: start, files, missing: tsconfig.missing, lead }
}

/** @param app whose files do not change while the result is in use */
export const tsconfigPaths = (app: FileLookup): FindTsconfigPaths => {
  const byFolder = new Map<string, TsconfigPaths | null>()
  const byFile = new Map<string, TsconfigPaths>()
  const open = (path: string): TsconfigPaths => {
    const paths = byFile.get(path) ?? createPaths(app, path)
    byFile.set(path, paths)
    return paths
  }
  return (importer) => {
    const folder = folderOf(importer)
    const known = byFolder.get(folder)
    if (known !== undefined) return known
    const nearest = foldersUpwards(folder)
      .map((above) => (above === '' ? 'tsconfig.json' : `${above}/tsconfig.json`))
      .find((path) => app.has(path))
    const isOwn = packageFolderOf(`${folder}/x`) === null
    const paths = nearest === undefined || !isOwn ? null : open(nearest)
    byFolder.set(folder, paths)
    return paths
  }
}
