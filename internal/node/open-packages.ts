/** Packages of apps: the registry that the operator chose, and the cache of this machine. */
import { join } from 'node:path'
import { createPackageCache } from '#bundle/package-cache.ts'
import type { Config } from '#config/config.ts'
import { MIB } from '#core/byte-units.ts'
import { resolveBySystem } from '#outbound/resolve-host.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'
import { createIsReserved } from '#sandbox/egress/reserved.ts'
import { createFetchPackages, type FetchPackages } from '#service/packages/fetch-packages.ts'
import { type ReservedConfig, reservedOf } from './reserved.ts'
import { resolveHost } from './resolve-host.ts'

type PackageConfig = ReservedConfig & Pick<Config, 'npmRegistry' | 'packageCacheMb'>

const create = (config: PackageConfig): FetchPackages =>
  createFetchPackages({
    resolve: resolveHost,
    isReserved: createIsReserved(reservedOf(config), resolveBySystem),
    registry: config.npmRegistry === 'off' ? null : config.npmRegistry,
    cache:
      config.packageCacheMb === 0
        ? null
        : createPackageCache({
            folder: join(openCacheFolder(), 'packages'),
            maxBytes: config.packageCacheMb * MIB,
          }),
  })

/** Creates the fetcher at its first use, because most commands need no cache folder. */
export const openPackages = (config: PackageConfig): FetchPackages => {
  let opened: FetchPackages | null = null
  return (app) => {
    opened ??= create(config)
    return opened(app)
  }
}

/** Returns the folder of packages that were packed into deployments; null if the operator turned the cache off. */
export const packedFolder = ({ packageCacheMb }: Pick<Config, 'packageCacheMb'>): string | null =>
  packageCacheMb === 0 ? null : join(openCacheFolder(), 'packed')
