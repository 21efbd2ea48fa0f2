/** Reads a tsconfig.json of an app, with what it extends by relative paths inside the app. Pure. */
import type { FileLookup } from './file-lookup.ts'
import { folderOf, joinPath } from './module-path.ts'

/** The compiler options of one file. */
export type TsconfigFile = Readonly<{
  path: string
  options: Readonly<Record<string, unknown>>
}>

export type Tsconfig = Readonly<{
  /** The file itself, then those that it extends; an earlier one wins. */
  files: readonly TsconfigFile[]
  /** What a file extends by a relative path, and the app does not contain. */
  missing: readonly string[]
}>

/** Larger files, and longer chains of `extends`, are no settings. */
const [MAX_BYTES, MAX_FILES] = [65_536, 10]

const COMMENT = /("(?:[^"\\]|\\.)*"?)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g
const LAST_COMMA = /("(?:[^"\\]|\\.)*"?)|,(?=\s*[}\]])/g

/** Reads JSON with comments and commas at the end, as TypeScript does. @returns null if it is not an object */
const parse = (bytes: Uint8Array): Readonly<Record<string, unknown>> | null => {
  const text = new TextDecoder().decode(bytes)
  try {
    return objectOf(JSON.parse(text.replace(COMMENT, '$1').replace(LAST_COMMA, '$1')))
  } catch {
    // an editor shows the fault; the app may need none of the settings
    return null
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null

/** Returns the relative names in `extends`. Those of packages are not read. */
const relativeNames = (named: unknown): readonly string[] =>
  [named]
    .flat()
    .filter((name) => typeof name === 'string')
    .filter((name) => name.startsWith('.'))

const findBases = (app: FileLookup, path: string, name: string): readonly string[] => {
  const found = joinPath(folderOf(path), name)
  return found === null ? [] : [found, `${found}.json`].filter((each) => app.has(each))
}

/** @param start path of the file */
export const readTsconfig = (app: FileLookup, start: string): Tsconfig => {
  const files: TsconfigFile[] = []
  const missing: string[] = []
  const read = new Set<string>()
  const waiting = [start]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const bytes = app.get(path)
    if (bytes === undefined || bytes.length > MAX_BYTES || read.has(path)) continue
    if (read.size >= MAX_FILES) break
    read.add(path)
    const settings = parse(bytes)
    files.push({ path, options: objectOf(settings?.compilerOptions) ?? {} })
    const names = relativeNames(settings?.extends)
    missing.push(...names.filter((name) => findBases(app, path, name).length === 0))
    // the last one wins over the others
    waiting.unshift(...names.flatMap((name) => findBases(app, path, name)).reverse())
  }
  return { files, missing }
}

/** Returns the file that states an option, with its value. */
export const findOption = (
  { files }: Tsconfig,
  name: string,
): Readonly<{ path: string; value: unknown }> | null => {
  const stating = files.find(({ options }) => Object.hasOwn(options, name))
  return stating === undefined ? null : { path: stating.path, value: stating.options[name] }
}
