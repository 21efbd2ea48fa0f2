/** Finds which packages the files of a bundle come from. */
import { PARTS } from './parts.ts'

/** A module of a package, at any depth of node_modules. */
const OF_PACKAGE = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//
/** Code that Vite and its bundler add has an id such as `\0rolldown/runtime.js`. */
const OF_BUNDLER = /^\0([a-z]+)\//

/** @returns the folder of the package, relative to the root; a source of svc that contains the work of others; or null */
const placeOf = (path: string): string | null => {
  const [, folder] = OF_PACKAGE.exec(path) ?? []
  if (folder !== undefined) return folder
  const [, bundler] = OF_BUNDLER.exec(path) ?? []
  if (bundler !== undefined) return `node_modules/${bundler}`
  return Object.keys(PARTS).find((source) => path === source || path.endsWith(`/${source}`)) ?? null
}

/** Returns the places of files, each once. @param paths relative, absolute, or ids of Vite */
export const placesOf = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map(placeOf).filter((place) => place !== null)),
]

/** The part of esbuild's metafile that is read. */
type Outputs = Readonly<{
  outputs: Readonly<
    Record<string, Readonly<{ inputs: Readonly<Record<string, { bytesInOutput: number }>> }>>
  >
}>

/** Returns the places of the code in esbuild's output. Modules of which nothing is used are left out. */
export const placesIn = ({ outputs }: Outputs): readonly string[] =>
  placesOf(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [path] : [],
      ),
    ),
  )
