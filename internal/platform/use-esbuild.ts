import process from 'node:process'

/** Sets the executable that esbuild's package starts, before it is first loaded. An operator's setting takes precedence. */
export const useEsbuild = (path: string): void => {
  process.env.ESBUILD_BINARY_PATH ??= path
}
