/** Packs files as the tar.gz that a deployment takes. */
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import type { FileLookup } from './file-lookup.ts'

/** Equal files make an equal archive: it has neither times nor owners. */
export const packArchive = async (
  files: FileLookup,
  paths: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> => {
  const tar = pack()
  const bytes = buffer(tar)
  for (const name of paths) {
    tar.entry({ name, mtime: new Date(0) }, Buffer.from(files.get(name) ?? new Uint8Array(0)))
  }
  tar.finalize()
  return new Uint8Array(gzipSync(await bytes))
}
