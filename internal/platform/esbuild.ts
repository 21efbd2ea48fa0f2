/** Where esbuild's own program is: as npm installed it. The binary takes esbuild.binary.ts in this file's place. */
import { createRequire } from 'node:module'
import process from 'node:process'

/**
 * @returns the path of its executable
 * @throws {Error} npm installed none for this machine
 */
export const findEsbuild = (): string => {
  const require = createRequire(import.meta.url)
  // as esbuild finds it: the package for this machine is a dependency of esbuild's
  return createRequire(require.resolve('esbuild')).resolve(
    `@esbuild/${process.platform}-${process.arch}/bin/esbuild`,
  )
}
