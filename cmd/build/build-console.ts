/**
 * Builds the console (web/) into a folder: hashed files, each compressed by gzip and Brotli, and manifest.json, which the
 * server reads. The first view has a budget; a build that exceeds it fails.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { z } from 'zod'
import { type ConsoleManifest, NONCE_MARK } from '../../internal/http/console-surface.ts'

const root = resolve(import.meta.dirname, '../..')
const web = join(root, 'web')

/** Budget of the compressed bytes that a browser loads until the first page with data is shown. */
const FIRST_VIEW_BYTES = 400 * 1_000
/** Pages that may be a user's first page. */
const FIRST_PAGES = [
  'src/pages/sign-in/page.tsx',
  'src/pages/overview/page.tsx',
  'src/pages/jobs/list/page.tsx',
]

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/** Hashes every source of the console, so that an unchanged console is not built again. */
const sourceHash = (): string => {
  const hash = createHash('sha256')
  const files = [
    ...globSync(['web/**/*', 'sdk/*.ts'], { cwd: root }),
    'package-lock.json',
    'cmd/build/build-console.ts',
  ]
  for (const path of files.sort()) {
    if (!statSync(join(root, path)).isFile() || path.endsWith('.test.ts')) continue
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

const chunkShape = z.looseObject({
  file: z.string(),
  isEntry: z.boolean().default(false),
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})
const chunksShape = z.record(z.string(), chunkShape)

const bundle = async (folder: string): Promise<z.infer<typeof chunksShape>> => {
  await build({
    configFile: false,
    root: web,
    base: '/ui/',
    logLevel: 'warn',
    // always React's production build, even when a test starts this
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    oxc: { jsx: { development: false } },
    html: { cspNonce: NONCE_MARK },
    css: { modules: { localsConvention: 'camelCaseOnly' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      manifest: 'chunks.json',
      target: ['chrome120', 'firefox121', 'safari17'],
      // nothing inline, because the content security policy allows files only
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // the largest chunk is pdf.js, loaded when a user opens a file in the parser
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        onwarn: (warning, report) => {
          // `use client` is meant for servers that render React
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') report(warning)
        },
      },
    },
  })
  const text = readFileSync(join(folder, 'chunks.json'), 'utf8')
  rmSync(join(folder, 'chunks.json'))
  return chunksShape.parse(JSON.parse(text))
}

const pressBrotli = promisify(brotliCompress)
const pressGzip = promisify(gzip)

/** @returns bytes for each file as brotli */
const compressAll = async (
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const sizes = new Map<string, number>()
  const most = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Promise.all(
    names.map(async (name) => {
      const content = readFileSync(join(folder, name))
      const [br, gz] = await Promise.all([
        pressBrotli(content, most),
        pressGzip(content, { level: 9 }),
      ])
      writeFileSync(join(folder, `${name}.br`), br)
      writeFileSync(join(folder, `${name}.gz`), gz)
      rmSync(join(folder, name))
      sizes.set(name, br.length)
    }),
  )
  return sizes
}

/** Collects a chunk's file and all files that it needs at once. */
const closure = (
  chunks: z.infer<typeof chunksShape>,
  key: string,
  seen = new Set<string>(),
): ReadonlySet<string> => {
  const chunk = chunks[key]
  if (chunk === undefined) throw new Error(`The build of the console has no ${key}.`)
  if (seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const css of chunk.css) seen.add(css)
  for (const next of chunk.imports) closure(chunks, next, seen)
  return seen
}

/** Returns the bytes of the largest first page, including the application shell. */
const firstViewBytes = (
  chunks: z.infer<typeof chunksShape>,
  sizes: ReadonlyMap<string, number>,
): number => {
  const entry = closure(chunks, 'index.html')
  const views = FIRST_PAGES.map((page) => {
    const files = new Set(['index.html', 'theme.js', ...entry, ...closure(chunks, page)])
    return [...files].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  })
  return Math.max(...views)
}

const toManifest = (folder: string, names: readonly string[]): ConsoleManifest => ({
  files: Object.fromEntries(
    names.toSorted().map((name) => {
      const content = readFileSync(join(folder, name))
      const sha256 = createHash('sha256').update(content).digest('base64url')
      const type = TYPES[extname(name)]
      if (type === undefined) throw new Error(`No content type is known for ${name}.`)
      return [
        name,
        { type, etag: `"${sha256.slice(0, 22)}"`, isHashed: name.startsWith('assets/') },
      ]
    }),
  ),
})

const builtShape = z.looseObject({ source: z.string(), firstViewBytes: z.number() })
export type BuiltConsole = Readonly<{ firstViewBytes: number; isFresh: boolean }>

/** Returns the built console when it matches the sources; null otherwise. */
const findBuilt = (folder: string, source: string): BuiltConsole | null => {
  const path = join(folder, 'manifest.json')
  if (!existsSync(path)) return null
  const built = builtShape.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (!built.success || built.data.source !== source) return null
  return { firstViewBytes: built.data.firstViewBytes, isFresh: false }
}

/** Tries, because a concurrent build may move its result into place between two steps of this one. */
const MAX_TRIES = 5

/**
 * Moves a finished build into place. Tests may build at the same time, so folders move as a whole and no reader finds a
 * partial one.
 * @returns the result of a concurrent build of the same sources, which stays because it may be in use; else null
 */
const putInPlace = (draft: string, folder: string, source: string): BuiltConsole | null => {
  const aside = `${draft}-before`
  const already = findBuilt(folder, source)
  if (already !== null) return already
  for (let attempt = 1; ; attempt += 1) {
    if (existsSync(folder)) moveIfThere(folder, aside)
    rmSync(aside, { recursive: true, force: true })
    try {
      renameSync(draft, folder)
      return null
    } catch (error) {
      const built = findBuilt(folder, source)
      if (built !== null) return built
      if (attempt === MAX_TRIES) throw error
    }
  }
}

/** Moves a folder unless a concurrent build has moved it. */
const moveIfThere = (from: string, to: string): void => {
  try {
    renameSync(from, to)
  } catch (error) {
    if (existsSync(from)) throw error
  }
}

/** Builds the console unless it is up to date. @throws {Error} the first view exceeds its budget */
export const buildConsole = async (folder = join(root, 'dist', 'web')): Promise<BuiltConsole> => {
  const source = sourceHash()
  const built = findBuilt(folder, source)
  if (built !== null) return built
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    const chunks = await bundle(draft)
    const names = globSync('**/*', { cwd: draft }).filter((name) =>
      statSync(join(draft, name)).isFile(),
    )
    const manifest = toManifest(draft, names)
    const bytes = firstViewBytes(chunks, await compressAll(draft, names))
    if (bytes > FIRST_VIEW_BYTES) {
      throw new Error(
        `The first view of the console takes ${bytes} bytes; the budget is ${FIRST_VIEW_BYTES}. Load what it does not need at once with import().`,
      )
    }
    writeFileSync(
      join(draft, 'manifest.json'),
      JSON.stringify({ ...manifest, source, firstViewBytes: bytes }),
    )
    return putInPlace(draft, folder, source) ?? { firstViewBytes: bytes, isFresh: true }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Returns the files of the built console by the name of their asset in the binary. */
export const consoleAssets = (
  folder = join(root, 'dist', 'web'),
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync('**/*', { cwd: folder })
      .filter((name) => statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [`web/${name}`, join(folder, name)]),
  )
