/** The form of the program's chunks in the binary's assets, on which the build and the binary must agree to the byte. */

/** The parameters of a chunk's function: those of a CommonJS module. */
const PARAMETERS = 'require, module, exports, __filename, __dirname'

export const toChunkText = (program: string): string => `(function (${PARAMETERS}) {${program}\n})`

/** The file with a chunk's V8 code cache. */
export const cacheNameOf = (name: string): string => `${name}.cache`

/** The asset with the texts and code caches of all chunks. */
export const CHUNKS_ASSET = 'chunks'
/** The asset that states where each chunk is, as the JSON of a `ChunkIndex`. */
export const CHUNK_INDEX_ASSET = 'chunks.json'

/** Where the chunks of each name are, in bytes. The cache follows the text. */
export type ChunkIndex = Readonly<
  Record<string, readonly [start: number, textBytes: number, cacheBytes: number]>
>
