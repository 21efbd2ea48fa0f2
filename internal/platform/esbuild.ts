/** Finds esbuild's executable, as npm installed it. The binary uses esbuild.binary.ts instead. */
import { createRequire } from 'node:module'
import process from 'node:process'

/**
 * @returns the path of its executable
 * @throws {Error} npm has not installed it for this machine
 */
export const findEsbuild = (): string => {
  const require = createRequire(import.meta.url)
  // resolved from esbuild's own folder: the platform package is its dependency, not ours
  return createRequire(require.resolve('esbuild')).resolve(
    `@esbuild/${process.platform}-${process.arch}/bin/esbuild`,
  )
}
