/** The executables inside the binary (only there): compressed assets, unpacked once per version. */
import { getAsset, getRawAsset } from 'node:sea'
import { zstdDecompressSync } from 'node:zlib'
import { openCacheFolder } from './cache-folder.ts'
import { type CarriedFile, unpack } from './unpack.ts'

/** What cmd/build packs; the asset manifest.json tells each one's hash and size. */
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

/** @returns the path of the unpacked file */
export const unpackCarried = (name: CarriedName): string => {
  const known = unpacked.get(name)
  if (known !== undefined) return known
  const path = unpack(openCacheFolder(), describe(name))
  unpacked.set(name, path)
  return path
}
