/** The refusal of an app that opens too many sources. Pure. */
import { MIB } from '#core/byte-units.ts'
import { MAX_OPENED_BYTES, type OpenedFiles } from './file-lookup.ts'
import { packageFolderOf, packageNameOf } from './native-addons.ts'

/** Packages that the refusal of too many sources names. */
const SHOWN_PACKAGES = 5

const describeLargest = ({ opened }: OpenedFiles): string => {
  const sizes = new Map<string, number>()
  for (const [path, bytes] of opened) {
    const folder = packageFolderOf(path)
    const name = folder === null ? 'the app itself' : packageNameOf(folder)
    sizes.set(name, (sizes.get(name) ?? 0) + bytes)
  }
  return [...sizes]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SHOWN_PACKAGES)
    .map(([name, bytes]) => `${name} ${(bytes / MIB).toFixed(1)} MiB`)
    .join(', ')
}

/** Names the packages with the largest sources. */
export const explainSize = (files: OpenedFiles): string =>
  `The app opens more than ${MAX_OPENED_BYTES / MIB} MiB of sources (so far ${describeLargest(files)}). Import smaller parts of the packages, or divide the actions among several apps.`
