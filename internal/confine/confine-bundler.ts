/**
 * Limits the memory of esbuild on nodes that bundle apps of others, and confines it. It receives files and returns bundles over
 * its pipe, and needs nothing else. When the package of esbuild is first loaded, it starts the program in ESBUILD_BINARY_PATH.
 */
import { writeRuntimeFile } from '#sandbox/linux/runtime-file.ts'
import type { Confine } from './confine.ts'

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/**
 * The largest bundles that an app may have, 64 MiB, take 1.5 GiB; a few MiB of hostile code take more than the machine has.
 * Above the first limit esbuild collects its garbage more often, and at the second, in KiB, it ends.
 */
const MEMORY = { GOMEMLIMIT: '1536MiB' }
const LIMIT = 'ulimit -d 3000000 2>/dev/null'

/**
 * Writes a script that starts esbuild within its limit, confined if this machine can confine.
 * @param runtimeDir a folder for the script; other users must be able to read it
 * @returns its path
 * @throws {AppError} those of `confine`
 */
export const writeConfinedBundler = (
  confine: Confine,
  { esbuild, runtimeDir }: Readonly<{ esbuild: string; runtimeDir: string }>,
): string => {
  const bare = { command: esbuild, args: [], env: MEMORY }
  const { command, args, env } = confine(bare, { reads: [] }) ?? bare
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const words = [...variables, command, ...args].map(quote).join(' ')
  const script = `#!/bin/sh\n${LIMIT}\nexec env -i ${words} "$@"\n`
  return writeRuntimeFile(runtimeDir, 'esbuild-#.sh', script)
}
