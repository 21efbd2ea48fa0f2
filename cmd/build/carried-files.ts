/** Packs the executables of the binary: finds them in node_modules, compresses them, describes them in manifest.json. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { placesOf } from './licenses/places.ts'
import type { PlatformParts } from './platform-parts.ts'

/** A higher level takes ten times as long and saves two percent. */
const ZSTD_LEVEL = 9

/** Returns the files by the names that #platform/carried.ts uses. */
const sources = ({ arch, find }: PlatformParts): Readonly<Record<string, string>> => ({
  deno: find(`@deno/linux-${arch}-glibc/deno`),
  esbuild: find(`@esbuild/linux-${arch}/bin/esbuild`),
  'libsql.node': find(`@libsql/linux-${arch}-gnu`),
  'tesseract.wasm': find('tesseract.js-core/tesseract-core-simd-lstm.wasm'),
  'kor.traineddata.gz': find('@tesseract.js-data/kor/4.0.0_best_int/kor.traineddata.gz'),
})

/** A package with the program of one platform; `deno`, `esbuild` and `libsql`, which start it, have its licence. */
const OF_PLATFORM = /@(deno|esbuild|libsql)\/linux-.*/

/** Returns where the binary's executables and data come from (licenses/places.ts). */
export const carriedPlaces = (parts: PlatformParts): readonly string[] =>
  placesOf([parts.node, ...Object.values(sources(parts))]).map((place) =>
    place.replace(OF_PLATFORM, '$1'),
  )

const compress = (content: Uint8Array): Buffer =>
  zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })

/** Compresses a file once, because the runtime changes far less often than svc does. */
const compressCached = (content: Uint8Array, sha256: string, cacheDir: string): string => {
  const path = join(cacheDir, `${sha256}-${ZSTD_LEVEL}.zst`)
  if (existsSync(path)) return path
  mkdirSync(cacheDir, { recursive: true })
  writeFileSync(`${path}.draft`, compress(content))
  renameSync(`${path}.draft`, path)
  return path
}

/** Packs the files. @returns files by asset name */
export const packCarriedFiles = (
  parts: PlatformParts,
  folders: Readonly<{ work: string; cache: string }>,
): Readonly<Record<string, string>> => {
  const assets: Record<string, string> = {}
  const manifest: Record<string, Readonly<{ sha256: string; bytes: number }>> = {}
  for (const [name, path] of Object.entries(sources(parts))) {
    const content = readFileSync(path)
    const sha256 = createHash('sha256').update(content).digest('hex')
    assets[`${name}.zst`] = compressCached(content, sha256, folders.cache)
    manifest[name] = { sha256, bytes: content.length }
  }
  const manifestPath = join(folders.work, 'manifest.json')
  writeFileSync(manifestPath, JSON.stringify(manifest))
  return { ...assets, 'manifest.json': manifestPath }
}
