/** The asset of the binary that holds many small files: the program's chunks, the console, the guides. */

export const PACK_ASSET = 'files'
/** The asset that states where each file is, as the JSON of a `PackIndex`. */
export const PACK_INDEX_ASSET = 'files.json'

/** Where the file of each name is in the asset, in bytes. */
export type PackIndex = Readonly<Record<string, readonly [start: number, bytes: number]>>
