/**
 * Reads files of the console and of the guides from dist/ (`make console`, `make guides`). The binary uses
 * served-files.binary.ts instead.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @returns null if the file does not exist, which means that the folder was not built */
const readFrom =
  (folder: 'web' | 'docs') =>
  (name: string): Uint8Array<ArrayBuffer> | null => {
    try {
      return new Uint8Array(
        readFileSync(fileURLToPath(new URL(`../../dist/${folder}/${name}`, import.meta.url))),
      )
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }

export const readConsoleFile = readFrom('web')
export const readGuideFile = readFrom('docs')

/** Reads the compressed licence notices, which only the binary contains. @returns null from source */
export const readLicenses = (): Uint8Array<ArrayBuffer> | null => null
