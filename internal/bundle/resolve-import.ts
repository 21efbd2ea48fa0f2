/**
 * Resolves an import of an app: one of its own files, a package in its own node_modules, a `node:` built-in or the SDK.
 * Pure and confined: a result never names a file outside the app.
 */
import { builtinModules } from 'node:module'
import { npmFolder, parseNpmSpecifier } from '#core/packages/package-specifier.ts'
import { remedyFor } from '#core/packages/remedies.ts'
import { fitsRange } from '#core/packages/version-range.ts'
import type { FileLookup } from './file-lookup.ts'
import { findModule, folderOf, foldersUpwards, joinPath } from './module-path.ts'
import { packageFolderOf } from './native-addons.ts'
import { type PackageManifest, readPackage, resolveInMap } from './package-map.ts'
import type { FindTsconfigPaths, PathTargets } from './tsconfig-paths.ts'
import type { FindWorkspace } from './workspaces.ts'

export const SDK = '@svc/sdk'
/** The client module, for code that calls another svc. */
export const SDK_CLIENT = '@svc/sdk/client'
/** The runtime of functions, which generated entry files import. */
export const FUNCTION_RUNTIME = 'svc:function'

export type ImportRequest = Readonly<{
  specifier: string
  /** Path of the importing file inside the app. */
  importer: string
  /** True for `require()`, false for `import`. */
  isRequire: boolean
}>

/** The names by which an app imports its own files, in addition to relative paths. */
export type OwnNames = Readonly<{ paths: FindTsconfigPaths; workspace: FindWorkspace }>

const NO_NAMES: OwnNames = { paths: () => null, workspace: () => undefined }

export type ResolvedImport =
  | Readonly<{
      kind: 'file'
      path: string
      /** Whether a tsconfig.json led there. */
      byTsconfig?: true
    }>
  | Readonly<{ kind: 'builtin'; name: string }>
  | Readonly<{ kind: 'sdk' }>
  | Readonly<{ kind: 'sdk_client' }>
  | Readonly<{ kind: 'function_runtime' }>
  | Readonly<{ kind: 'missing'; message: string }>

const IMPORT_CONDITIONS = new Set(['import', 'module', 'node', 'default'])
const REQUIRE_CONDITIONS = new Set(['require', 'node', 'default'])
const BUILTINS: ReadonlySet<string> = new Set(builtinModules)

/** Paths of the app are shorter. To resolve a name of a megabyte takes 0.3 s. */
const MAX_LENGTH = 2_000

const isRelative = (specifier: string): boolean => /^\.{1,2}(?:\/|$)/.test(specifier)

/** Resolves one specifier; `missing` carries the message for the author. */
export const resolveImport = (
  files: FileLookup,
  request: ImportRequest,
  names: OwnNames = NO_NAMES,
): ResolvedImport => {
  const { specifier, importer } = request
  if (specifier.length > MAX_LENGTH) {
    const short = { ...request, specifier: specifier.slice(0, MAX_LENGTH) }
    return { kind: 'missing', message: explainMissing(files, short, names) }
  }
  if (specifier === SDK) return { kind: 'sdk' }
  if (specifier === SDK_CLIENT) return { kind: 'sdk_client' }
  if (specifier === FUNCTION_RUNTIME) return { kind: 'function_runtime' }
  if (specifier.startsWith('node:')) return { kind: 'builtin', name: specifier }
  if (specifier.startsWith('npm:')) return findNpm(files, request)
  if (!isRelative(specifier)) {
    const found = findByPaths(files, request, names)
    if (found !== null) return found
  }
  // as in Node, before a package of the same name
  if (BUILTINS.has(specifier)) return { kind: 'builtin', name: `node:${specifier}` }
  const path = isRelative(specifier)
    ? findRelative(files, folderOf(importer), request)
    : specifier.startsWith('#')
      ? findOwnImport(files, request)
      : (findPackage(files, request) ?? findWorkspace(files, request, names))
  if (path !== null) return { kind: 'file', path }
  return {
    kind: 'missing',
    message: explainInstalled(files, request) ?? explainMissing(files, request, names),
  }
}

const DECLARATIONS = /\.d\.[cm]?ts$/

/** Finds a file by `paths` or `baseUrl` of a tsconfig.json, before built-in modules and packages, as TypeScript does. */
const findByPaths = (
  files: FileLookup,
  request: ImportRequest,
  names: OwnNames,
): ResolvedImport | null => {
  const { specifier, importer } = request
  const paths = names.paths(importer)
  if (paths === null) return null
  for (const target of paths.lead(specifier).targets) {
    // a package found by its name has its "exports"
    if (target === null || target === `node_modules/${specifier}`) continue
    const path = findFileOrFolder(files, target, request)
    if (path !== null && !DECLARATIONS.test(path)) {
      return { kind: 'file', path, byTsconfig: true }
    }
  }
  return null
}

const findRelative = (files: FileLookup, folder: string, request: ImportRequest): string | null => {
  const path = joinPath(folder, request.specifier)
  return path === null ? null : findFileOrFolder(files, path, request)
}

const mainOf = (manifest: PackageManifest | null, { isRequire }: ImportRequest) => {
  const mains = isRequire ? [manifest?.main] : [manifest?.module, manifest?.main]
  return mains.find((entry) => typeof entry === 'string')
}

/** Finds a module, or the main file of a folder with a package.json of its own, such as `fp-ts/function`. */
const findFileOrFolder = (
  files: FileLookup,
  path: string,
  request: ImportRequest,
): string | null => {
  const found = findModule(files, path)
  if (found !== null && !found.startsWith(`${path}/`)) return found
  const main = mainOf(readPackage(files, path), request)
  const joined = main === undefined ? null : joinPath(path, main)
  return (joined === null ? null : findModule(files, joined)) ?? found
}

const conditionsOf = ({ isRequire }: ImportRequest): ReadonlySet<string> =>
  isRequire ? REQUIRE_CONDITIONS : IMPORT_CONDITIONS

/** Resolves `#name` by the `imports` of the importing file's package. */
const findOwnImport = (files: FileLookup, request: ImportRequest): string | null => {
  for (const folder of foldersUpwards(folderOf(request.importer))) {
    const manifest = readPackage(files, folder)
    if (manifest === null) continue
    const target = resolveInMap(manifest.imports, request.specifier, conditionsOf(request))
    if (target === null) return null
    if (isRelative(target)) return findRelative(files, folder, { ...request, specifier: target })
    return target.startsWith('#') ? null : findPackage(files, { ...request, specifier: target })
  }
  return null
}

/** Finds `npm:name@version`: a package that was fetched for this specifier, or an installed one whose version fits. */
const findNpm = (files: FileLookup, request: ImportRequest): ResolvedImport => {
  const { specifier, importer } = request
  const wanted = parseNpmSpecifier(specifier)
  if (wanted === null) return { kind: 'missing', message: explainNpm(specifier) }
  const { name, version, subpath } = wanted
  const installed = foldersUpwards(folderOf(importer))
    .flatMap((folder) => joinPath(folder, `node_modules/${name}`) ?? [])
    .filter((root) => fitsRange(String(readPackage(files, root)?.version), version) === true)
  for (const root of [npmFolder(wanted), ...installed]) {
    const path = findInPackage(files, { root, subpath, request })
    if (path !== null) return { kind: 'file', path }
  }
  return { kind: 'missing', message: explainNpm(specifier) }
}

/** A trailing slash, as in `string_decoder/`, means the package and never a built-in module. */
const PACKAGE_NAME = /^(@[^/@]+\/[^/]+|[^/@.][^/]*|\.[^/.][^/]*)(?:\/(.+)?)?$/

/** Searches as Node does: in the node_modules of each folder from the importing file up to the app's root. */
const findPackage = (files: FileLookup, request: ImportRequest): string | null => {
  const [, name, subpath] = PACKAGE_NAME.exec(request.specifier) ?? []
  if (name === undefined) return null
  for (const folder of foldersUpwards(folderOf(request.importer))) {
    if (folder === 'node_modules' || folder.endsWith('/node_modules')) continue
    const root = joinPath(folder, `node_modules/${name}`)
    const found = root === null ? null : findInPackage(files, { root, subpath, request })
    if (found !== null) return found
  }
  return null
}

/** Finds a module of the app's own package, such as a workspace of npm. */
const findWorkspace = (
  files: FileLookup,
  request: ImportRequest,
  names: OwnNames,
): string | null => {
  const [, name = '', subpath] = PACKAGE_NAME.exec(request.specifier) ?? []
  const root = names.workspace(name)
  return root === undefined ? null : findInPackage(files, { root, subpath, request })
}

type PackagePlace = Readonly<{ root: string; subpath: string | undefined; request: ImportRequest }>

const findInPackage = (
  files: FileLookup,
  { root, subpath, request }: PackagePlace,
): string | null => {
  const manifest = readPackage(files, root)
  if (manifest?.exports !== undefined && manifest.exports !== null) {
    const key = subpath === undefined ? '.' : `./${subpath}`
    const target = resolveInMap(manifest.exports, key, conditionsOf(request))
    return target === null ? null : findInside(files, root, target)
  }
  if (subpath !== undefined) {
    const joined = pathInside(root, subpath)
    return joined === null ? null : findFileOrFolder(files, joined, request)
  }
  const main = mainOf(manifest, request) ?? 'index.js'
  return findInside(files, root, main) ?? findInside(files, root, 'index.js')
}

const pathInside = (root: string, path: string): string | null => {
  const joined = joinPath(root, path)
  return joined === root || joined?.startsWith(`${root}/`) === true ? joined : null
}

const findInside = (files: FileLookup, root: string, path: string): string | null => {
  const joined = pathInside(root, path)
  return joined === null ? null : findModule(files, joined)
}

const explainNpm = (specifier: string): string =>
  `Cannot find ${JSON.stringify(specifier.slice(0, 200))}. Write an exact version, as in npm:zod@4.0.0, or install the package with npm, so that package-lock.json has a version that fits.`

/** Returns the first two parts of a name below a scope or a hidden folder, and otherwise the first. */
const nameIn = (specifier: string): string => /^[@.][^/]*\/[^/]+/.exec(specifier)?.[0] ?? ''

/** Returns why an import that begins with `#`, or of a package that is there, leads nowhere; null for other imports. */
const explainInstalled = (
  files: FileLookup,
  { specifier, importer }: ImportRequest,
): string | null => {
  const shown = JSON.stringify(specifier.slice(0, 200))
  if (specifier.startsWith('#')) return `Cannot find ${shown} in "imports" of the package.json.`
  const [, name] = PACKAGE_NAME.exec(specifier) ?? []
  const manifest = foldersUpwards(folderOf(importer))
    .map((folder) => joinPath(folder, `node_modules/${name}`))
    .map((root) => (root === null ? null : readPackage(files, root)))
    .find((found) => found !== null)
  if (name === undefined || manifest === undefined) return null
  const why = (manifest.exports ?? null) === null ? 'has no such module' : 'does not export it'
  return `Cannot find ${shown}. The package "${name}" is installed, but ${why}.`
}

/** Lock files of other package managers, with what makes each install files instead of links. */
const OTHER_LOCKS = [
  ['pnpm-lock.yaml', 'pnpm install --node-linker=hoisted'],
  ['yarn.lock', 'yarn install, with nodeLinker: node-modules from Yarn 2 on'],
  ['bun.lock', 'bun install --linker=hoisted'],
] as const

const explainUninstalled = (files: FileLookup): string => {
  const other = OTHER_LOCKS.find(([path]) => files.has(path))
  if (other === undefined || files.has('package-lock.json')) {
    return `Only "${SDK}", node: modules and the app's own files can be imported; install a package with npm, and deploy package.json and package-lock.json with the app. A node_modules folder, if there is one, must have all packages: npm install`
  }
  const [lock, install] = other
  return `svc does not read ${lock}. For svc deploy, fill node_modules: ${install}. For git, delete node_modules, and make a package-lock.json: npm install --package-lock-only`
}

/** Whether it looks like a name in `paths` of a tsconfig.json, or leads to a file of the app from its root. */
const isAlias = (files: FileLookup, { specifier, importer }: ImportRequest): boolean =>
  !/(?:^|\/)node_modules\//.test(importer) &&
  (/^[@~]\//.test(specifier) || findModule(files, specifier) !== null)

const OUTSIDE =
  "outside of the app's folder. Deploy a folder that contains both, with app.yaml there, or copy the code into the app."

const NOT_FETCHED =
  ' svc fetches packages that the code imports by their own names, and none for "paths".'

const explainTargets = (path: string, { targets }: PathTargets): string => {
  const inside = targets.filter((target) => target !== null)
  if (inside.length === 0) return `"paths" of ${path} leads ${OUTSIDE}`
  const hint = inside.some((target) => packageFolderOf(`${target}/x`) !== null) ? NOT_FETCHED : ''
  return `"paths" of ${path} leads to ${inside.slice(0, 3).join(', ')}, which is not among the files of the app.${hint}`
}

/** Explains an import by a name of `paths`; null for other names. */
const explainAlias = (
  files: FileLookup,
  request: ImportRequest,
  names: OwnNames,
): string | null => {
  const paths = names.paths(request.importer)
  const led = paths?.lead(request.specifier)
  if (paths !== null && led?.isNamed === true) return explainTargets(paths.path, led)
  if (!isAlias(files, request)) return null
  const [missing] = paths?.missing ?? []
  if (missing !== undefined && paths !== null) {
    return `${paths.path} extends ${missing}, which is not among the files of the app: copy its "paths" into ${paths.path}.`
  }
  return `No "paths" of a tsconfig.json leads there: add them to ${paths?.path ?? 'a tsconfig.json'} of the app, or write a relative path.`
}

const explainMissing = (files: FileLookup, request: ImportRequest, names: OwnNames): string => {
  const { specifier } = request
  const shown = JSON.stringify(specifier.slice(0, 200))
  if (isRelative(specifier) && joinPath(folderOf(request.importer), specifier) === null) {
    return `Cannot find ${shown} among the files of the app: it is ${OUTSIDE}`
  }
  const alias = isRelative(specifier) ? null : explainAlias(files, request, names)
  if (alias !== null) return `Cannot find ${shown}. ${alias}`
  if (isRelative(specifier) || specifier.startsWith('/')) {
    return `Cannot find ${shown} among the files of the app.`
  }
  if (/^[a-z][a-z+.-]*:/i.test(specifier)) {
    return `${shown} would be fetched at run time; svc runs without the internet. Copy the code into the app.`
  }
  const own = PACKAGE_NAME.exec(specifier)?.[1]
  const workspace = own === undefined ? undefined : names.workspace(own)
  if (workspace !== undefined) {
    return `Cannot find ${shown} among the files of ${workspace}, whose package.json has this name. If it names compiled files, build them first, or let "exports" name the source.`
  }
  const remedy = remedyFor(nameIn(specifier))
  return `Cannot find the package ${shown}. ${remedy ?? explainUninstalled(files)}`
}
