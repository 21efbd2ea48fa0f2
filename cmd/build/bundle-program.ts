/** Bundles programs into CommonJS texts, as a single executable application requires. */
import { basename } from 'node:path'
import { type BuildOptions, build, transform } from 'esbuild'
import { placesIn } from './licenses/places.ts'
import { lighterImports } from './lighter-imports.ts'
import { lighterYargs } from './lighter-yargs.ts'
import { madeTexts } from './made-texts.ts'
import { staticNatives } from './static-natives.ts'

/** Replaces import.meta.url, which libraries use only to find files that the binary does not contain. */
const URL_NAME = '__importMetaUrl'
const BANNER = `const ${URL_NAME} = require('node:url').pathToFileURL(process.execPath).href;`

const MINIFY = {
  minifySyntax: true,
  minifyWhitespace: true,
  // names are kept for stack traces
  minifyIdentifiers: false,
  keepNames: false,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions

const OPTIONS = {
  ...MINIFY,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node24',
  conditions: ['svc-binary'],
  define: { 'import.meta.url': URL_NAME },
  plugins: [staticNatives, lighterYargs, lighterImports, madeTexts],
  // without this, esbuild may or may not find tsconfig.json, which adds strict mode, depending on which file imports a module first
  tsconfigRaw: {},
  // esbuild resolves its own file only if the path of its executable is not set
  logOverride: { 'require-resolve-not-external': 'silent' },
  // optional native modules of ws
  external: ['bufferutil', 'utf-8-validate'],
} satisfies BuildOptions

/** Bundles one entry into one text. @param outfile path of the bundle @returns the places of its modules (licenses/places.ts) */
export const bundleProgram = async (entry: string, outfile: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    ...OPTIONS,
    format: 'cjs',
    banner: { js: BANNER },
    entryPoints: [entry],
    outfile,
  })
  return placesIn(metafile)
}

/**
 * esbuild splits only ES modules, and the binary runs CommonJS. `import()` of a chunk becomes the `require` of
 * internal/platform/run-chunk.ts.
 */
const toCommonJs = async (chunk: string): Promise<string> => {
  const { code } = await transform(chunk, {
    ...MINIFY,
    format: 'cjs',
    target: 'node24',
    supported: { 'dynamic-import': false },
  })
  return chunk.includes(URL_NAME) ? `${BANNER}${code}` : code
}

type SplitProgram = Readonly<{ chunks: ReadonlyMap<string, string>; places: readonly string[] }>

/**
 * Bundles a program into chunks, so that a command compiles only what it runs. A module that is imported with `import()`
 * becomes a separate chunk; a module that several chunks need exists once.
 * @returns the chunks' texts by name, where the entry keeps its name, and the places of their modules (licenses/places.ts)
 */
export const splitProgram = async (entry: string): Promise<SplitProgram> => {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    format: 'esm',
    splitting: true,
    entryPoints: [entry],
    outdir: 'chunks',
    write: false,
  })
  const chunks = await Promise.all(
    outputFiles.map(async ({ path, text }) => [basename(path), await toCommonJs(text)] as const),
  )
  return { chunks: new Map(chunks), places: placesIn(metafile) }
}
