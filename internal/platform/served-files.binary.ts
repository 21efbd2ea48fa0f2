/** Reads files of the console from the binary's assets. */
import { getRawAsset } from 'node:sea'

export const readConsoleFile = (name: string): Uint8Array<ArrayBuffer> | null => {
  // getRawAsset cannot report a missing asset, but every binary is built with a console
  const asset = getRawAsset(`web/${name}`)
  return asset instanceof ArrayBuffer ? new Uint8Array(asset) : null
}
