/** Executables inside the binary (only there): compressed assets, unpacked once per version. */
import { getAsset, getRawAsset } from 'node:sea'
import { zstdDecompressSync } from 'node:zlib'
import { openCacheFolder } from './cache-folder.ts'
import { type CarriedFile, unpack } from './unpack.ts'

/** The files that cmd/build packs; the asset manifest.json has the hash and size of each. */
export type CarriedName =
  | 'deno'
  | 'esbuild'
  | 'libsql.node'
  | 'tesseract.wasm'
  | 'kor.traineddata.gz'

const unpacked = new Map<CarriedName, string>()

const describe = (name: CarriedName): CarriedFile => {
  const manifest: Readonly<Record<CarriedName, Readonly<{ sha256: string; bytes: number }>>> =
    JSON.parse(getAsset('manifest.json', 'utf8'))
  return {
    name,
    ...manifest[name],
    read: () => zstdDecompressSync(new Uint8Array(getRawAsset(`${name}.zst`))),
  }
}

/** Unpacks a file unless it is unpacked already. @returns its path */
export const unpackCarried = (name: CarriedName): string => {
  const cached = unpacked.get(name)
  if (cached !== undefined) return cached
  const path = unpack(openCacheFolder(), describe(name))
  unpacked.set(name, path)
  return path
}
