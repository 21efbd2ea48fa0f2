/**
 * Puts esbuild behind walls, for nodes that bundle what strangers deploy: it gets files and gives bundles over its pipe
 * and needs nothing else. esbuild's package starts the program that ESBUILD_BINARY_PATH names when it is first loaded.
 */
import { join } from 'node:path'
import { openCacheFolder } from '#platform/cache-folder.ts'
import { findEsbuild } from '#platform/esbuild.ts'
import { useEsbuild } from '#platform/use-esbuild.ts'
import { writeRuntimeFile } from '#sandbox/linux/runtime-file.ts'
import { ownFence } from './own-confinement.ts'

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** Null: there are no walls here, and esbuild is started as it is. */
export const fencedBundler = (): string | null => {
  const fenced = ownFence()({ command: findEsbuild(), args: [], env: {} }, { reads: [] })
  if (fenced === null) return null
  const words = [fenced.command, ...fenced.args].map(quote).join(' ')
  const script = `#!/bin/sh\nexec env -i ${words} "$@"\n`
  return writeRuntimeFile(join(openCacheFolder(), 'guest'), 'esbuild-#.sh', script)
}

/** Before anything loads esbuild. */
export const fenceBundler = (): void => {
  const path = fencedBundler()
  if (path !== null) useEsbuild(path)
}
