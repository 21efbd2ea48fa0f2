/** The form of a program's text in the binary's assets, on which the build and the binary must agree to the byte. */

/** The parameters of a chunk's function: those of a CommonJS module. */
const PARAMETERS = 'require, module, exports, __filename, __dirname'

export const toChunkText = (program: string): string => `(function (${PARAMETERS}) {${program}\n})`

/** The name of the asset with a chunk's V8 code cache. */
export const cacheNameOf = (name: string): string => `${name}.cache`
