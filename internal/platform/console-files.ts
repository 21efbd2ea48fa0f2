/** Files of the console as `make console` has built them into dist/web. The binary takes console-files.binary.ts instead. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @returns null: it is not there, so the console was not built */
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
