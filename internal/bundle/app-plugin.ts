/** An esbuild plugin that serves every module of an app from memory; esbuild itself never reads the disk. */
import { isBuiltin } from 'node:module'
import type {
  Loader,
  OnLoadArgs,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
} from 'esbuild'
import { answerInTurns } from './answer-in-turns.ts'
import { explainSize } from './explain-size.ts'
import type { OpenedFiles } from './file-lookup.ts'
import { FUNCTION_RUNTIME_SOURCE } from './function-runtime.gen.ts'
import { withJsxRuntime } from './jsx.ts'
import { addressOf, asksForPlace, withPlace, withResolved } from './module-place.ts'
import { explainNative, nativeAddons, packageFolderOf, packageNameOf } from './native-addons.ts'
import { type DefaultRule, defaultRuleOf, withDefault } from './node-interop.ts'
import { isOptionalPeer } from './optional-peer.ts'
import { OWN_FILES, ownFilesOf, registerFiles } from './own-files.ts'
import {
  FUNCTION_RUNTIME,
  type ImportRequest,
  type OwnNames,
  type ResolvedImport,
  resolveImport,
  SDK,
  SDK_CLIENT,
} from './resolve-import.ts'
import { SDK_SOURCE } from './sdk.gen.ts'
import { SDK_CLIENT_SOURCE } from './sdk-client.gen.ts'
import type { Steps } from './steps.ts'
import { CHANGED_MODULES, SYSTEM_MODULES } from './system-modules.ts'

/** The namespace of app modules; esbuild names a source `app:actions/parse.ts`. */
export const APP_NAMESPACE = 'app'
const SDK_NAMESPACE = 'sdk'
const BUILTIN_NAMESPACE = 'builtin'
const SYSTEM_NAMESPACE = 'system'
/** Modules that register the files of another one. */
const OWN_FILES_NAMESPACE = 'own-files'
/** Modules between an ES module and a CommonJS module. */
const INTEROP_NAMESPACES: Readonly<Record<DefaultRule, string>> = {
  node: 'interop',
  either: 'interop-either',
}
const RULES = ['node', 'either'] as const
/** Namespaces of modules that svc writes. They import files of the app by their path. */
const BETWEEN: ReadonlySet<string> = new Set([
  OWN_FILES_NAMESPACE,
  ...Object.values(INTEROP_NAMESPACES),
])

const LOADERS: ReadonlyMap<string, Loader> = new Map([
  ...['ts', 'mts', 'cts'].map((extension) => [extension, 'ts'] as const),
  ...['js', 'mjs', 'cjs'].map((extension) => [extension, 'js'] as const),
  ['tsx', 'tsx'],
  ['jsx', 'jsx'],
  ['json', 'json'],
  ...['txt', 'md', 'html', 'css', 'csv', 'sql', 'svg', 'xml', 'yaml', 'yml'].map(
    (extension) => [extension, 'text'] as const,
  ),
])

/** Modules that an app may import although it does not contain them. */
const OWN_SOURCES: ReadonlyMap<string, string> = new Map([
  [SDK, SDK_SOURCE],
  [SDK_CLIENT, SDK_CLIENT_SOURCE],
  [FUNCTION_RUNTIME, FUNCTION_RUNTIME_SOURCE],
])

/** Loaders that an import chooses: `import page from './page.html' with { type: 'text' }`. */
const LOADERS_BY_ATTRIBUTE: ReadonlyMap<string, Loader> = new Map([
  ['json', 'json'],
  ['text', 'text'],
  ['bytes', 'binary'],
])

const loaderOf = ({ path, with: attributes }: OnLoadArgs): Loader => {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return LOADERS_BY_ATTRIBUTE.get(attributes.type ?? '') ?? LOADERS.get(extension) ?? 'binary'
}

/** Loaders of code, which may refer to its own path (`__dirname`, `import.meta.url`). */
const CODE: ReadonlySet<Loader> = new Set(['js', 'jsx', 'ts', 'tsx'])
const JSX: ReadonlySet<Loader> = new Set(['jsx', 'tsx'])

/** Returns code that knows its place. @param note called with the files that it reads by its place */
function* placeCode(
  files: OpenedFiles,
  path: string,
  find: (request: ImportRequest) => ResolvedImport,
  note: (ownFiles: readonly string[]) => void,
): Steps<string> {
  const resolved = new Set<string>()
  const source = yield* withResolved(new TextDecoder().decode(files.get(path)), (specifier) => {
    const found = find({ specifier, importer: path, isRequire: true })
    if (found.kind !== 'file') return null
    resolved.add(found.path)
    return found.path
  })
  const isPlaced = asksForPlace(source)
  if (!isPlaced && resolved.size === 0) return source
  const named = isPlaced ? yield* ownFilesOf(files, path, source) : []
  // svc deploy sends only files that bundles contain, and the server must find these again
  const ownFiles = [...new Set([...named, ...resolved])].sort()
  note(ownFiles)
  return yield* withPlace(path, source, ownFiles.length === 0 ? null : OWN_FILES)
}

/** The plugin of one build, and explanations of its resolve errors. */
export type AppPlugin = Readonly<{
  plugin: Plugin
  /** Returns why a specifier was not resolved; undefined when esbuild's own message is enough. */
  explain(specifier: string): string | undefined
  /** Returns the tsconfig.json files that count for these files; none if no import of theirs needs one. */
  tsconfigsOf(sources: readonly string[]): readonly string[]
}>

const isRequire = ({ kind }: OnResolveArgs): boolean =>
  kind === 'require-call' || kind === 'require-resolve'

/** Whether the import takes place when the code runs, and not when the module loads. */
const isLate = (args: OnResolveArgs): boolean => isRequire(args) || args.kind === 'dynamic-import'

/** Resolves a built-in module, which exists at run time. A late import of one that does not exist may be in a try block. */
const toBuiltin = (args: OnResolveArgs, name: string): OnResolveResult => {
  if (!isLate(args) && !isBuiltin(name)) {
    return {
      errors: [{ text: `There is no built-in module ${JSON.stringify(name.slice(0, 200))}.` }],
    }
  }
  if (SYSTEM_MODULES.has(name) && args.namespace !== SYSTEM_NAMESPACE) {
    const isWrapped = isRequire(args) && args.namespace !== BUILTIN_NAMESPACE
    return { path: name, namespace: isWrapped ? BUILTIN_NAMESPACE : SYSTEM_NAMESPACE }
  }
  if (CHANGED_MODULES.has(name) && args.namespace !== SYSTEM_NAMESPACE && !isRequire(args)) {
    return { path: name, namespace: SYSTEM_NAMESPACE }
  }
  // ES modules have no require(): a built-in that an older package requires is loaded at run time
  return isRequire(args)
    ? { path: name, namespace: BUILTIN_NAMESPACE }
    : { path: name, external: true }
}

/** Specifiers that esbuild would treat as an external URL. */
const ADDRESS = /^(?:[a-z][a-z+.-]*:|\/\/|#)/i

/**
 * Reports a missing module.
 * @returns undefined to let esbuild refuse the import. Inside a try block (or with a catch) esbuild instead bundles a
 * call that fails at run time.
 */
const toMissing = (args: OnResolveArgs, message: string): OnResolveResult | undefined => {
  if (ADDRESS.test(args.path)) return { errors: [{ text: message }] }
  return args.kind === 'require-resolve' ? { path: args.path, external: true } : undefined
}

const createResolver = (
  files: OpenedFiles,
  find: (request: ImportRequest) => ResolvedImport,
  explanations: Map<string, string>,
) => {
  const isNative = nativeAddons(files)
  const nativeOf = (path: string): string | null => {
    if (path.endsWith('.node')) return path
    const folder = packageFolderOf(path)
    return folder !== null && isNative(folder) ? packageNameOf(folder) : null
  }
  const missing = (args: OnResolveArgs, message: string): OnResolveResult | undefined => {
    explanations.set(args.path, message)
    return toMissing(args, message)
  }
  const toFile = (args: OnResolveArgs, path: string): OnResolveResult | undefined => {
    const { importer, kind } = args
    const native = nativeOf(path)
    // imports within the package are allowed: its own loader decides what to do without the addon
    const isInner = packageFolderOf(importer) === packageFolderOf(path)
    if (native !== null && (!isInner || path.endsWith('.node'))) {
      if (!path.endsWith('.node')) files.get(path) // records it as opened, like binding.gyp
      return missing(args, explainNative(native))
    }
    const rule = kind === 'import-statement' ? defaultRuleOf(files, importer, path) : null
    return { path, namespace: rule === null ? APP_NAMESPACE : INTEROP_NAMESPACES[rule] }
  }
  return (args: OnResolveArgs): OnResolveResult | undefined => {
    const { path: specifier, importer, kind } = args
    if (BETWEEN.has(args.namespace)) {
      return { path: specifier.slice(1), namespace: APP_NAMESPACE }
    }
    if (kind === 'entry-point') return { path: specifier, namespace: APP_NAMESPACE }
    if (specifier === OWN_FILES) return { path: importer, namespace: OWN_FILES_NAMESPACE }
    const found = find({ specifier, importer, isRequire: isRequire(args) })
    switch (found.kind) {
      case 'file':
        return toFile(args, found.path)
      case 'sdk':
        return { path: SDK, namespace: SDK_NAMESPACE }
      case 'sdk_client':
        return { path: SDK_CLIENT, namespace: SDK_NAMESPACE }
      case 'function_runtime':
        return { path: FUNCTION_RUNTIME, namespace: SDK_NAMESPACE }
      case 'builtin':
        return toBuiltin(args, found.name)
      case 'missing':
        return isLate(args) && isOptionalPeer(files, importer, specifier)
          ? { path: specifier, external: true }
          : missing(args, found.message)
    }
  }
}

/** Creates the plugin for one build of these files. */
export const appPlugin = (files: OpenedFiles, names: OwnNames): AppPlugin => {
  const explanations = new Map<string, string>()
  const led = new Set<string>()
  const find = (request: ImportRequest): ResolvedImport => {
    const found = resolveImport(files, request, names)
    if (found.kind === 'file' && found.byTsconfig === true) led.add(request.importer)
    return found
  }
  const resolve = createResolver(files, find, explanations)
  let isRefused = false
  /** Refuses the first file beyond the limit. That fails the build, so the others are empty. */
  const beyond = (): OnLoadResult => {
    if (isRefused) return { contents: '' }
    isRefused = true
    return { errors: [{ text: explainSize(files) }] }
  }
  const registered = new Map<string, readonly string[]>()
  const inTurn = answerInTurns()
  function* load(args: OnLoadArgs): Steps<OnLoadResult> {
    const bytes = files.get(args.path)
    if (bytes === undefined) return { errors: [{ text: `The app has no file ${args.path}.` }] }
    if (files.isOverLimit()) return beyond()
    const loader = loaderOf(args)
    if (!CODE.has(loader)) return { contents: bytes, loader }
    const note = (paths: readonly string[]) => void registered.set(args.path, paths)
    const code = yield* placeCode(files, args.path, find, note)
    return { contents: JSX.has(loader) ? withJsxRuntime(code) : code, loader }
  }
  const setup: Plugin['setup'] = (build) => {
    build.onResolve({ filter: /.*/ }, (args) => inTurn.short(() => resolve(args)))
    build.onLoad({ filter: /.*/, namespace: APP_NAMESPACE }, (args) =>
      inTurn.long(() => load(args)),
    )
    build.onLoad({ filter: /.*/, namespace: OWN_FILES_NAMESPACE }, ({ path }) => ({
      contents: registerFiles(registered.get(path) ?? [], addressOf),
      loader: 'js',
    }))
    for (const rule of RULES) {
      build.onLoad({ filter: /.*/, namespace: INTEROP_NAMESPACES[rule] }, ({ path }) => ({
        contents: withDefault(rule, path),
        loader: 'js',
      }))
    }
    build.onLoad({ filter: /.*/, namespace: SDK_NAMESPACE }, ({ path }) => ({
      contents: OWN_SOURCES.get(path) ?? '',
      loader: 'js',
    }))
    build.onLoad({ filter: /.*/, namespace: SYSTEM_NAMESPACE }, ({ path }) => ({
      contents: SYSTEM_MODULES.get(path) ?? CHANGED_MODULES.get(path) ?? '',
      loader: 'js',
    }))
    build.onLoad({ filter: /.*/, namespace: BUILTIN_NAMESPACE }, ({ path }) => ({
      contents: SYSTEM_MODULES.has(path)
        ? `module.exports = require(${JSON.stringify(path)}).default`
        : `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
      loader: 'js',
    }))
  }
  return {
    plugin: { name: 'app-files', setup },
    explain: (specifier) => explanations.get(specifier),
    tsconfigsOf: (sources) =>
      sources.some((path) => led.has(path))
        ? sources.flatMap((path) => names.paths(path)?.files ?? [])
        : [],
  }
}
