/**
 * Builds the console (web/) into a folder: hashed files, each compressed with gzip and Brotli, and manifest.json, which the
 * server reads. The first view has a budget; a build that exceeds it fails.
 */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { z } from 'zod'
import { NONCE_MARK } from '../../internal/http/surfaces/console-surface.ts'
import { ROOT } from '../root.ts'
import { placesOf } from './licenses/places.ts'
import { type BuiltFolder, buildServedFolder, hashSources, servedAssets } from './served-folder.ts'

const web = join(ROOT, 'web')
const OUTPUT = join(ROOT, 'dist', 'web')

/** The budget in compressed bytes that a browser loads until the first page with data is shown. */
const FIRST_VIEW_BYTES = 400 * 1_000
/** Pages that may be a user's first page. */
const FIRST_PAGES = [
  'src/pages/sign-in/page.tsx',
  'src/pages/overview/page.tsx',
  'src/pages/jobs/list/page.tsx',
]

/** Hashes every source of the console. */
const sourceHash = (): string =>
  hashSources(ROOT, [
    ...globSync(['web/**/*', 'sdk/*.ts'], { cwd: ROOT }),
    'package-lock.json',
    'cmd/build/build-console.ts',
    'cmd/build/served-folder.ts',
    'cmd/build/licenses/places.ts',
  ])

const chunkShape = z.looseObject({
  file: z.string(),
  isEntry: z.boolean().default(false),
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})
const chunksShape = z.record(z.string(), chunkShape)

/** Records which modules are in the output. Those of styles have no code of their own. */
const recordModules = (record: (id: string) => void): Plugin => ({
  name: 'record-modules',
  generateBundle(_, outputs) {
    for (const output of Object.values(outputs)) {
      if (output.type !== 'chunk') continue
      for (const [id, { renderedLength }] of Object.entries(output.modules)) {
        if (renderedLength > 0) record(id)
      }
    }
    for (const id of this.getModuleIds()) if (/\.css(?:\?|$)/.test(id)) record(id)
  },
})

type Bundle = Readonly<{ chunks: z.infer<typeof chunksShape>; places: readonly string[] }>

const bundle = async (folder: string): Promise<Bundle> => {
  const modules = new Set<string>()
  await build({
    configFile: false,
    plugins: [recordModules((id) => modules.add(id))],
    root: web,
    base: '/ui/',
    logLevel: 'warn',
    // always React's production build, even if a test starts this
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    oxc: { jsx: { development: false } },
    html: { cspNonce: NONCE_MARK },
    css: { modules: { localsConvention: 'camelCaseOnly' } },
    build: {
      // all styles are 21 kB: one file costs less than one request per component
      cssCodeSplit: false,
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
        // one file for code that pages share: with one file per component, a page made 50 requests
        output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
        onwarn: (warning, report) => {
          // `use client` addresses servers that render React
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') report(warning)
        },
      },
    },
  })
  const text = readFileSync(join(folder, 'chunks.json'), 'utf8')
  rmSync(join(folder, 'chunks.json'))
  return { chunks: chunksShape.parse(JSON.parse(text)), places: placesOf([...modules]) }
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

export type BuiltConsole = Omit<BuiltFolder, 'facts'> & Readonly<{ firstViewBytes: number }>

/** Builds the console unless it is up to date. @throws {Error} the first view exceeds its budget */
export const buildConsole = async (): Promise<BuiltConsole> => {
  const { facts, ...built } = await buildServedFolder({
    folder: OUTPUT,
    source: sourceHash(),
    write: async (draft) => {
      const { chunks, places } = await bundle(draft)
      return {
        places,
        toFacts: (sizes) => ({ firstViewBytes: withinBudget(firstViewBytes(chunks, sizes)) }),
      }
    },
  })
  return { ...built, firstViewBytes: facts.firstViewBytes ?? 0 }
}

const withinBudget = (bytes: number): number => {
  if (bytes > FIRST_VIEW_BYTES) {
    throw new Error(
      `The first view of the console takes ${bytes} bytes; the budget is ${FIRST_VIEW_BYTES}. Load what it does not need at once with import().`,
    )
  }
  return bytes
}

/** Returns the files of the built console by asset name in the binary. */
export const consoleAssets = (): Readonly<Record<string, string>> => servedAssets(OUTPUT, 'web')
