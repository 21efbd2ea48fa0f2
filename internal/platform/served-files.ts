/** Reads files of the console from dist/web (`make console`). The binary uses console-files.binary.ts instead. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @returns null when the file does not exist, which means that the console was not built */
export const readConsoleFile = (name: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return new Uint8Array(
      readFileSync(fileURLToPath(new URL(`../../dist/web/${name}`, import.meta.url))),
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
