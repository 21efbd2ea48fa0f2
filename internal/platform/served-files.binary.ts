/** Reads files of the console and of the guides from the binary's assets. */
import { getRawAsset } from 'node:sea'

const readFrom =
  (folder: 'web' | 'docs') =>
  (name: string): Uint8Array<ArrayBuffer> | null => {
    // getRawAsset cannot report a missing asset, but every binary is built with both folders
    const asset = getRawAsset(`${folder}/${name}`)
    return asset instanceof ArrayBuffer ? new Uint8Array(asset) : null
  }

export const readConsoleFile = readFrom('web')
export const readGuideFile = readFrom('docs')
