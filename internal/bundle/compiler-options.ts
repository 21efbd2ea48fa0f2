/**
 * Reads the few settings of an app's tsconfig.json without which its code means something else: decorators from before the
 * standard, and with them how the fields of classes are set. Pure.
 */
import type { FileLookup } from './file-lookup.ts'
import { findOption, readTsconfig, type Tsconfig } from './tsconfig.ts'

export type CompilerOptions = Readonly<{
  /** What esbuild gets as `tsconfigRaw`. */
  raw: string
  /** The files that state it; none if esbuild gets nothing. */
  files: readonly string[]
}>

const NONE: CompilerOptions = { raw: '{}', files: [] }
const DECORATORS = 'experimentalDecorators'

/** Reads the tsconfig.json at the app's root, and what it extends by relative paths inside the app. */
export const compilerOptions = (app: FileLookup): CompilerOptions => {
  const tsconfig = readTsconfig(app, 'tsconfig.json')
  if (findOption(tsconfig, DECORATORS)?.value !== true) return NONE
  return {
    raw: JSON.stringify({ compilerOptions: settingsOf(tsconfig) }),
    files: tsconfig.files.map(({ path }) => path).sort(),
  }
}

/**
 * Reads the others with decorators only, so that the classes of other apps stay what they are. Leaves out values of a wrong
 * type, which esbuild would refuse or report.
 */
const settingsOf = (tsconfig: Tsconfig) => {
  const define = findOption(tsconfig, 'useDefineForClassFields')?.value
  const target = findOption(tsconfig, 'target')?.value
  return {
    [DECORATORS]: true,
    ...(typeof define === 'boolean' && { useDefineForClassFields: define }),
    ...(typeof target === 'string' && TARGET.test(target) && { target }),
  }
}

const TARGET = /^es(?:3|5|6|next|20\d\d)$/i
