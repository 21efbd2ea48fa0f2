/** Reads the small files inside the binary (only there). */
import { getAsset, getRawAsset } from 'node:sea'
import { PACK_ASSET, PACK_INDEX_ASSET, type PackIndex } from './packed-files.ts'

const packed = getRawAsset(PACK_ASSET)
const index: PackIndex = JSON.parse(getAsset(PACK_INDEX_ASSET, 'utf8'))

/** Returns the content as a view of the binary's memory, which must not be written. @returns null if it has no such file */
export const readPacked = (name: string): Uint8Array<ArrayBuffer> | null => {
  const place = Object.hasOwn(index, name) ? index[name] : undefined
  return place === undefined ? null : new Uint8Array(packed, ...place)
}
