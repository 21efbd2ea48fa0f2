/**
 * Confines esbuild on nodes that bundle apps of others. It receives files and returns bundles over its pipe, and needs
 * nothing else. When the package of esbuild is first loaded, it starts the program in ESBUILD_BINARY_PATH.
 */
import { writeRuntimeFile } from '#sandbox/linux/runtime-file.ts'
import type { Confine } from './confine.ts'

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/**
 * Writes a script that starts esbuild confined.
 * @param runtimeDir a folder for the script; other users must be able to read it
 * @returns its path; null if this machine cannot confine, and esbuild then runs unconfined
 */
export const writeConfinedBundler = (
  confine: Confine,
  { esbuild, runtimeDir }: Readonly<{ esbuild: string; runtimeDir: string }>,
): string | null => {
  const confined = confine({ command: esbuild, args: [], env: {} }, { reads: [] })
  if (confined === null) return null
  const words = [confined.command, ...confined.args].map(quote).join(' ')
  const script = `#!/bin/sh\nexec env -i ${words} "$@"\n`
  return writeRuntimeFile(runtimeDir, 'esbuild-#.sh', script)
}
