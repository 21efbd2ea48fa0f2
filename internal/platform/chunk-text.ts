/** The form of the program's chunks in the binary, on which the build and the binary must agree to the byte. */

/** The parameters of a chunk's function: those of a CommonJS module. */
const PARAMETERS = 'require, module, exports, __filename, __dirname'

export const toChunkText = (program: string): string => `(function (${PARAMETERS}) {${program}\n})`

/** The file with a chunk's V8 code cache. */
export const cacheNameOf = (name: string): string => `${name}.cache`
