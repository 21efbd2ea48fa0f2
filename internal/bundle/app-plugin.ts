/** esbuild's view of an app: every module comes from memory; esbuild itself never looks at the disk. */
import type { Loader, OnLoadArgs, OnResolveArgs, OnResolveResult, Plugin } from 'esbuild'
import type { AppFiles } from './app-files.ts'
import { FUNCTION_RUNTIME_SOURCE } from './function-runtime.gen.ts'
import { FUNCTION_RUNTIME, resolveImport, SDK, SDK_CLIENT } from './resolve-import.ts'
import { SDK_SOURCE } from './sdk.gen.ts'
import { SDK_CLIENT_SOURCE } from './sdk-client.gen.ts'

/** esbuild names sources `app:actions/parse.ts`. */
export const APP_NAMESPACE = 'app'
const SDK_NAMESPACE = 'sdk'
const BUILTIN_NAMESPACE = 'builtin'

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

/** What an app may import though it does not hold it. */
const OWN_SOURCES: ReadonlyMap<string, string> = new Map([
  [SDK, SDK_SOURCE],
  [SDK_CLIENT, SDK_CLIENT_SOURCE],
  [FUNCTION_RUNTIME, FUNCTION_RUNTIME_SOURCE],
])

/** `import page from './page.html' with { type: 'text' }` */
const LOADERS_BY_ATTRIBUTE: ReadonlyMap<string, Loader> = new Map([
  ['json', 'json'],
  ['text', 'text'],
  ['bytes', 'binary'],
])

const loaderOf = ({ path, with: attributes }: OnLoadArgs): Loader => {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return LOADERS_BY_ATTRIBUTE.get(attributes.type ?? '') ?? LOADERS.get(extension) ?? 'binary'
}

const toResult = (files: AppFiles, args: OnResolveArgs): OnResolveResult => {
  const { path: specifier, importer, kind } = args
  if (kind === 'entry-point') return { path: specifier, namespace: APP_NAMESPACE }
  const isRequire = kind === 'require-call' || kind === 'require-resolve'
  const found = resolveImport(files, { specifier, importer, isRequire })
  switch (found.kind) {
    case 'file':
      return { path: found.path, namespace: APP_NAMESPACE }
    case 'sdk':
      return { path: SDK, namespace: SDK_NAMESPACE }
    case 'sdk_client':
      return { path: SDK_CLIENT, namespace: SDK_NAMESPACE }
    case 'function_runtime':
      return { path: FUNCTION_RUNTIME, namespace: SDK_NAMESPACE }
    case 'builtin':
      // a module has no require(): what older packages require is asked of the runtime
      return isRequire
        ? { path: found.name, namespace: BUILTIN_NAMESPACE }
        : { path: found.name, external: true }
    case 'missing':
      return { errors: [{ text: found.message }] }
  }
}

export const appPlugin = (files: AppFiles): Plugin => ({
  name: 'app-files',
  setup: (build) => {
    build.onResolve({ filter: /.*/ }, (args) => toResult(files, args))
    build.onLoad({ filter: /.*/, namespace: APP_NAMESPACE }, (args) => {
      const contents = files.get(args.path)
      if (contents === undefined) {
        return { errors: [{ text: `The app has no file ${args.path}.` }] }
      }
      return { contents, loader: loaderOf(args) }
    })
    build.onLoad({ filter: /.*/, namespace: SDK_NAMESPACE }, ({ path }) => ({
      contents: OWN_SOURCES.get(path) ?? '',
      loader: 'js',
    }))
    build.onLoad({ filter: /.*/, namespace: BUILTIN_NAMESPACE }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
      loader: 'js',
    }))
  },
})
