/**
 * Packs files into one asset. Node copies the table of all assets whenever a program reads one: with an asset for each of
 * 820 files, a read took 42 µs, and a start reads 400.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  PACK_ASSET,
  PACK_INDEX_ASSET,
  type PackIndex,
} from '../../internal/platform/packed-files.ts'

/**
 * Writes the asset and its index.
 * @param files paths by the names under which the binary reads them
 * @param work the folder to which the asset is written
 * @returns files by asset name
 */
export const packFiles = (
  files: Readonly<Record<string, string>>,
  work: string,
): Readonly<Record<string, string>> => {
  const index: Record<string, PackIndex[string]> = {}
  const contents: Buffer[] = []
  let start = 0
  for (const [name, path] of Object.entries(files)) {
    const content = readFileSync(path)
    index[name] = [start, content.length]
    contents.push(content)
    start += content.length
  }
  const assets = { [PACK_ASSET]: join(work, 'files'), [PACK_INDEX_ASSET]: join(work, 'files.json') }
  writeFileSync(assets[PACK_ASSET], Buffer.concat(contents))
  writeFileSync(assets[PACK_INDEX_ASSET], JSON.stringify(index))
  return assets
}
