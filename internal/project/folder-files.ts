/** The files of a folder, by path relative to it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const listFiles = (root: string, prefix = ''): readonly string[] =>
  readdirSync(join(root, prefix), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return []
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) return listFiles(root, path)
    // links are skipped, because they could lead anywhere
    return entry.isFile() ? [path] : []
  })

/** Lists every name but reads a file only when it is requested, because installed packages may be large. */
export class FolderFiles extends Map<string, Uint8Array> {
  readonly #folder: string

  constructor(folder: string, isWanted: (path: string) => boolean = () => true) {
    const paths = listFiles(folder).filter(isWanted)
    super(paths.map((path) => [path, new Uint8Array(0)]))
    this.#folder = folder
  }

  override get(path: string): Uint8Array | undefined {
    return this.has(path) ? new Uint8Array(readFileSync(join(this.#folder, path))) : undefined
  }
}
