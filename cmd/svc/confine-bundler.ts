/**
 * Puts esbuild behind walls, for nodes that bundle what strangers deploy: it gets files and gives bundles over its pipe
 * and needs nothing else. esbuild's package starts the program that ESBUILD_BINARY_PATH names when it is first loaded.
 */
import { join } from 'node:path'
import { openCacheFolder } from '#platform/cache-folder.ts'
import { findEsbuild } from '#platform/esbuild.ts'
import { useEsbuild } from '#platform/use-esbuild.ts'
import { writeRuntimeFile } from '#sandbox/linux/runtime-file.ts'
import { ownConfine } from './own-confinement.ts'

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Null: there are no walls here, and esbuild is started as it is. */
export const confinedBundler = (): string | null => {
  const confined = ownConfine()({ command: findEsbuild(), args: [], env: {} }, { reads: [] })
  if (confined === null) return null
  const words = [confined.command, ...confined.args].map(quote).join(' ')
  const script = `#!/bin/sh\nexec env -i ${words} "$@"\n`
  return writeRuntimeFile(join(openCacheFolder(), 'guest'), 'esbuild-#.sh', script)
}

/** Before anything loads esbuild. */
export const confineBundler = (): void => {
  const path = confinedBundler()
  if (path !== null) useEsbuild(path)
}
