/** Finds which files a bundle contains, from esbuild's metafile. Pure. */
import type { Metafile } from 'esbuild'
import type { ErrorDetail } from '#core/error.ts'
import { folderOf, foldersUpwards, joinPath } from './module-path.ts'

export type BundleGraph = Readonly<{
  inputs: Metafile['inputs']
  /** Sizes in bytes of the files that were read, including each package.json. */
  opened: ReadonlyMap<string, number>
}>

const APP = 'app:'

/** Collects esbuild's names of all inputs that an entry reaches. */
const reach = ({ inputs }: BundleGraph, entrypoint: string): readonly string[] => {
  const reached = new Set<string>()
  const waiting = [`${APP}${entrypoint}`]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    for (const { path, external } of inputs[name]?.imports ?? []) {
      if (external !== true) waiting.push(path)
    }
  }
  return [...reached]
}

/** Whether the file of an entry point is a CommonJS module. */
export const isCommonJs = ({ inputs }: BundleGraph, entrypoint: string): boolean =>
  inputs[`${APP}${entrypoint}`]?.format === 'cjs'

const pathOf = (name: string): string => name.slice(APP.length).replace(/ with \{.*\}$/, '')

/** Returns the manifests of folders that imports of a file name, as in `fp-ts/function`. Each states which module that is. */
const namedManifests = ({ inputs, opened }: BundleGraph, name: string): readonly string[] => {
  const folder = folderOf(pathOf(name))
  const specifiers = new Set(inputs[name]?.imports.map(({ original = '' }) => original))
  return [...specifiers].flatMap((specifier) => {
    const places = specifier.startsWith('.')
      ? [joinPath(folder, specifier)]
      : foldersUpwards(folder).map((above) => joinPath(above, `node_modules/${specifier}`))
    return places.map((place) => `${place}/package.json`).filter((path) => opened.has(path))
  })
}

/** Returns the app files of an entry's bundle, sorted, with the package.json of each folder above them. */
export const sourcesOf = (graph: BundleGraph, entrypoint: string): readonly string[] => {
  const names = reach(graph, entrypoint).filter((name) => name.startsWith(APP))
  const paths = names.map(pathOf)
  const folders = new Set(paths.flatMap((path) => foldersUpwards(folderOf(path))))
  const manifests = [...folders]
    .map((folder) => (folder === '' ? 'package.json' : `${folder}/package.json`))
    .filter((path) => graph.opened.has(path))
  const named = names.flatMap((name) => namedManifests(graph, name))
  return [...new Set([...paths, ...manifests, ...named])]
    .filter((path) => graph.opened.has(path))
    .sort()
}

/** Returns a warning for each optional package that is missing and would fail when required. */
export const optionalRequires = (graph: BundleGraph, entrypoint: string): readonly ErrorDetail[] =>
  reach(graph, entrypoint).flatMap((name) =>
    (graph.inputs[name]?.imports ?? [])
      .filter(({ external, kind, path }) => external === true && isLate(kind, path))
      .map(({ path }) => ({
        path: name.startsWith(APP) ? name.slice(APP.length) : name,
        message: `"${path.slice(0, 200)}" is optional and not among the app's files: requiring it throws MODULE_NOT_FOUND.`,
      })),
  )

const isLate = (kind: string, path: string): boolean =>
  kind === 'require-call' || (kind === 'dynamic-import' && !path.startsWith('node:'))
