/** Files of the console from the binary's assets. */
import { getRawAsset } from 'node:sea'

export const readConsoleFile = (name: string): Uint8Array<ArrayBuffer> | null => {
  // an asset cannot be asked whether it is there; a binary without a console does not leave the build
  const asset = getRawAsset(`web/${name}`)
  return asset instanceof ArrayBuffer ? new Uint8Array(asset) : null
}
