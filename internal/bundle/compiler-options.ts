/**
 * Reads the few settings of an app's tsconfig.json without which its code means something else: decorators from before the
 * standard, and with them how the fields of classes are set. Pure.
 */
import type { FileLookup } from './file-lookup.ts'
import { folderOf, joinPath } from './module-path.ts'

export type CompilerOptions = Readonly<{
  /** What esbuild gets as `tsconfigRaw`. */
  raw: string
  /** The files that state it; none if esbuild gets nothing. */
  files: readonly string[]
}>

const NONE: CompilerOptions = { raw: '{}', files: [] }
const DECORATORS = 'experimentalDecorators'
/** With decorators only, so that the classes of other apps stay what they are. */
const READ = [DECORATORS, 'useDefineForClassFields', 'target'] as const

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

/** Returns the files that it extends, the last one first, because that one wins. Those of packages are not read. */
const basesOf = (app: FileLookup, path: string, named: unknown): readonly string[] =>
  [named]
    .flat()
    .filter((name) => typeof name === 'string' && name.startsWith('.'))
    .map((name) => joinPath(folderOf(path), String(name)))
    .flatMap((found) => (found === null ? [] : [found, `${found}.json`]))
    .filter((found) => app.has(found))
    .reverse()

/** Reads the tsconfig.json at the app's root, and what it extends by relative paths inside the app. */
export const compilerOptions = (app: FileLookup): CompilerOptions => {
  const options = new Map<string, unknown>()
  const read = new Set<string>()
  const waiting = ['tsconfig.json']
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const bytes = app.get(path)
    if (bytes === undefined || bytes.length > MAX_BYTES || read.has(path)) continue
    if (read.size >= MAX_FILES) break
    read.add(path)
    const settings = parse(bytes)
    const stated = objectOf(settings?.compilerOptions) ?? {}
    for (const name of READ) {
      if (!options.has(name) && Object.hasOwn(stated, name)) options.set(name, stated[name])
    }
    waiting.unshift(...basesOf(app, path, settings?.extends))
  }
  if (options.get(DECORATORS) !== true) return NONE
  return { raw: JSON.stringify({ compilerOptions: settingsOf(options) }), files: [...read].sort() }
}

/** Leaves out values of a wrong type, which esbuild would refuse or report. */
const settingsOf = (options: ReadonlyMap<string, unknown>) => {
  const [define, target] = [options.get('useDefineForClassFields'), options.get('target')]
  return {
    [DECORATORS]: true,
    ...(typeof define === 'boolean' && { useDefineForClassFields: define }),
    ...(typeof target === 'string' && TARGET.test(target) && { target }),
  }
}

const TARGET = /^es(?:3|5|6|next|20\d\d)$/i
