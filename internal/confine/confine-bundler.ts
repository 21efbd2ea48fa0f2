/**
 * Confines esbuild, for nodes that bundle apps of others: it gets files and returns bundles over its pipe and needs nothing
 * else. The package of esbuild starts the program that ESBUILD_BINARY_PATH names when it is first loaded.
 */
import { writeRuntimeFile } from '#sandbox/linux/runtime-file.ts'
import type { Confine } from './confine.ts'

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/**
 * Writes a script that starts esbuild confined.
 * @param runtimeDir a folder for the script; other users must be able to read it
 * @returns its path; null when this machine cannot confine, so that esbuild is started as it is
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
