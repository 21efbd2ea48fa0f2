/** Confinement for programs of a node that handle untrusted bytes: readers of documents, the bundler, git. */
import { join } from 'node:path'
import { beforeEsbuild } from '#bundle/esbuild-service.ts'
import { type Confine, createConfine } from '#confine/confine.ts'
import { writeConfinedBundler } from '#confine/confine-bundler.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'
import { findEsbuild } from '#platform/esbuild.ts'
import { useEsbuild } from '#platform/use-esbuild.ts'

const runtimeDir = (): string => join(openCacheFolder(), 'guest')

/** Each of them probes at its first use whether this machine can confine it. */
export const openConfine = (): Confine => createConfine(runtimeDir())

/** @returns the path of a script that starts esbuild */
export const confinedBundler = (confine: Confine): string =>
  writeConfinedBundler(confine, { esbuild: findEsbuild(), runtimeDir: runtimeDir() })

/** Limits and confines the bundler at its first use, before anything loads esbuild. */
export const confineBundler = (confine: Confine): void => {
  beforeEsbuild(() => useEsbuild(confinedBundler(confine)))
}
