/** Opens the cache of bundles that workers and servers of this machine share. */
import { join } from 'node:path'
import { type BundleCache, createBundleCache } from '#bundle/bundle-cache.ts'
import type { Config } from '#config/config.ts'
import { MIB } from '#core/byte-units.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'
import type { Deps } from '#service/deps.ts'

/** A database file needs no cache, because reading it is as fast as reading a cached file. */
export const openBundleCache = (
  config: Config,
  { db }: Pick<Deps, 'db'>,
): BundleCache | undefined =>
  db.backend === 'file'
    ? undefined
    : createBundleCache({
        folder: join(openCacheFolder(), 'bundles'),
        maxBytes: config.bundleCacheMb * MIB,
      })
