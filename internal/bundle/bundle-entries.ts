/**
 * Bundles an app's entry files with esbuild, each into one module that imports nothing but `node:` built-ins. The files
 * come from memory, and resolution never leaves them: an author's import of /etc/passwd finds nothing.
 */
import { createHash } from 'node:crypto'
import type { Loader, Message, Plugin } from 'esbuild'
import { AppError, type ErrorDetail } from '#core/error.ts'
import type { AppFiles } from './app-files.ts'
import { SDK_SOURCE } from './sdk.gen.ts'

export type BundledEntry = Readonly<{
  entrypoint: string
  /** SHA-256 of the code, hex. */
  hash: string
  code: string
  /** JSON; its sources are paths inside the app. */
  sourceMap: string
}>

const SDK = '@svc/sdk'
const APP = 'app'
const MAX_CODE_BYTES = 20 * 1_024 * 1_024

const LOADERS: Readonly<Record<string, Loader>> = {
  ts: 'ts',
  mts: 'ts',
  tsx: 'tsx',
  js: 'js',
  mjs: 'js',
  cjs: 'js',
  jsx: 'jsx',
  json: 'json',
  txt: 'text',
  md: 'text',
  html: 'text',
  css: 'text',
  sql: 'text',
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase()

/** `a/b` and `../c/d` make `a/c/d`; null when it leads out of the app. */
const join = (folder: string, relative: string): string | null => {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

const SUFFIXES = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.js',
  '.jsx',
  '.mjs',
  '.json',
  '/index.ts',
  '/index.js',
] as const

const findFile = (files: AppFiles, path: string): string | null => {
  for (const suffix of SUFFIXES) if (files.has(path + suffix)) return path + suffix
  // TypeScript's own habit: `./x.js` names x.ts
  const typescript = path.replace(/\.(m?)js$/, '.$1ts')
  return files.has(typescript) ? typescript : null
}

/** A package that the author keeps in the app's own node_modules: its `module` or `main`, or index.js. */
const findPackage = (files: AppFiles, specifier: string): string | null => {
  const direct = findFile(files, `node_modules/${specifier}`)
  if (direct !== null) return direct
  const manifest = files.get(`node_modules/${specifier}/package.json`)
  if (manifest === undefined) return null
  const entry = mainOf(new TextDecoder().decode(manifest))
  const path = join(`node_modules/${specifier}`, entry)
  return path === null ? null : findFile(files, path)
}

const mainOf = (manifest: string): string => {
  try {
    const parsed: unknown = JSON.parse(manifest)
    if (typeof parsed !== 'object' || parsed === null) return 'index.js'
    if ('module' in parsed && typeof parsed.module === 'string') return parsed.module
    if ('main' in parsed && typeof parsed.main === 'string') return parsed.main
  } catch {
    // a package without a readable manifest is tried by its index
  }
  return 'index.js'
}

const explainMissing = (specifier: string): string => {
  if (specifier.startsWith('.') || specifier.startsWith('/')) {
    return `Cannot find "${specifier}" among the files of the app.`
  }
  if (/^(?:https?|npm|jsr|file|data):/.test(specifier)) {
    return `"${specifier}" would be fetched at run time; svc runs without the internet. Copy the code into the app.`
  }
  return `Cannot find the package "${specifier}". Only "${SDK}", node: modules and the app's own files can be imported; put a package into the app's node_modules folder to ship it.`
}

const confinedFiles = (files: AppFiles): Plugin => ({
  name: 'app-files',
  setup: (build) => {
    build.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return { path, namespace: APP }
      if (path === SDK) return { path: SDK, namespace: 'sdk' }
      if (path.startsWith('node:')) return { path, external: true }
      const isRelative =
        path.startsWith('./') || path.startsWith('../') || path === '.' || path === '..'
      const joined = isRelative ? join(folderOf(importer), path) : null
      const found = isRelative
        ? joined === null
          ? null
          : findFile(files, joined)
        : path.startsWith('/')
          ? null
          : findPackage(files, path)
      if (found !== null) return { path: found, namespace: APP }
      return { errors: [{ text: explainMissing(path) }] }
    })
    build.onLoad({ filter: /.*/, namespace: APP }, ({ path }) => {
      const bytes = files.get(path)
      if (bytes === undefined) return { errors: [{ text: `The app has no file ${path}.` }] }
      return { contents: bytes, loader: LOADERS[extensionOf(path)] ?? 'binary' }
    })
    build.onLoad({ filter: /.*/, namespace: 'sdk' }, () => ({ contents: SDK_SOURCE, loader: 'js' }))
  },
})

const toDetail = ({ text, location }: Message): ErrorDetail => ({
  path:
    location === null
      ? 'bundle'
      : `${location.file.replace(/^app:/, '')}:${location.line}:${location.column + 1}`,
  message: text,
})

/** esbuild names sources `app:actions/parse.ts`. */
const nameSources = (sourceMap: string): string => {
  const map: { sources?: unknown } = JSON.parse(sourceMap)
  const sources = Array.isArray(map.sources) ? map.sources.map(String) : []
  return JSON.stringify({
    ...map,
    sources: sources.map((source) => source.replace(/^(?:.*\/)?app:/, '')),
  })
}

/** @throws {AppError} unprocessable, with file, line and message of each fault in `details` */
export const bundleEntries = async (
  files: AppFiles,
  entrypoints: readonly string[],
): Promise<readonly BundledEntry[]> => {
  const missing = entrypoints.filter((path) => !files.has(path))
  if (missing.length > 0) {
    throw unbundlable(
      missing.map((path) => ({
        path,
        message: 'The manifest names this file; the app does not hold it.',
      })),
    )
  }
  const unique = [...new Set(entrypoints)]
  // named here, not above: the binary says where esbuild's own program is before it loads
  const { build } = await import('esbuild')
  return Promise.all(unique.map((entrypoint) => bundleEntry(build, files, entrypoint)))
}

const unbundlable = (details: readonly ErrorDetail[], cause?: unknown): AppError =>
  new AppError('unprocessable', 'The code of the app could not be bundled.', {
    code: 'unbundlable',
    details,
    cause,
  })

const bundleEntry = async (
  build: typeof import('esbuild').build,
  files: AppFiles,
  entrypoint: string,
): Promise<BundledEntry> => {
  try {
    const result = await build({
      entryPoints: [entrypoint],
      bundle: true,
      write: false,
      outdir: '/out',
      absWorkingDir: '/',
      format: 'esm',
      platform: 'neutral',
      target: 'es2023',
      sourcemap: 'external',
      sourcesContent: false,
      legalComments: 'none',
      logLevel: 'silent',
      logLimit: 20,
      tsconfigRaw: '{}',
      plugins: [confinedFiles(files)],
    })
    const code = result.outputFiles.find(({ path }) => path.endsWith('.js'))
    const map = result.outputFiles.find(({ path }) => path.endsWith('.map'))
    if (code === undefined || map === undefined) throw new Error('esbuild wrote no output.')
    if (code.contents.length > MAX_CODE_BYTES) {
      throw unbundlable([{ path: entrypoint, message: 'The bundled code is larger than 20 MiB.' }])
    }
    return {
      entrypoint,
      hash: createHash('sha256').update(code.contents).digest('hex'),
      code: code.text,
      sourceMap: nameSources(map.text),
    }
  } catch (error) {
    const messages = errorsOf(error)
    if (messages === null) throw error
    throw unbundlable(messages.map(toDetail), error)
  }
}

const errorsOf = (error: unknown): readonly Message[] | null =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) ? error.errors : null
