import process from 'node:process'

/**
 * Which program esbuild's package starts, decided when it is first loaded. An operator's own choice in the environment is
 * left alone.
 */
export const useEsbuild = (path: string): void => {
  process.env.ESBUILD_BINARY_PATH ??= path
}
