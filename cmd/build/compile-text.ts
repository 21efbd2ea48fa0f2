/** Bundles programs and styles into texts, which the source contains as *.gen.ts (`make generate`). */
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { ROOT } from '../root.ts'
import { placesIn } from './licenses/places.ts'

const GUEST = {
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  external: ['node:*'],
  minifyWhitespace: true,
  minifySyntax: true,
} as const satisfies BuildOptions

/** With apps. */
const OF_APPS = {
  format: 'esm',
  platform: 'neutral',
  external: ['node:*'],
  target: 'es2023',
} as const satisfies BuildOptions

const OF_PAGES = {
  minify: true,
  format: 'iife',
  charset: 'utf8',
  platform: 'browser',
  // the browsers that the console and the guides support
  target: ['chrome120', 'firefox121', 'safari17'],
} satisfies BuildOptions

/** How each is bundled. The licence notices of the binary include those of everything here. */
const TEXTS = {
  'internal/sandbox/guest/main-deno.ts': GUEST,
  'internal/sandbox/guest/main-node.ts': GUEST,
  'sdk/mod.ts': OF_APPS,
  'sdk/client.ts': OF_APPS,
  'internal/bundle/function-runtime.ts': OF_APPS,
  'internal/http/pages/certificates-script.ts': { ...OF_PAGES, target: 'es2020' },
  'web/reference/reference.ts': OF_PAGES,
  'web/reference/reference.css': OF_PAGES,
} as const satisfies Readonly<Record<string, BuildOptions>>
export type TextEntry = keyof typeof TEXTS

const bundle = async (
  entry: string,
  options: BuildOptions,
): Promise<Readonly<{ text: string; places: readonly string[] }>> => {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    write: false,
    metafile: true,
    legalComments: 'none',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error(`esbuild made nothing of ${entry}.`)
  return { text: output.text, places: placesIn(metafile) }
}

/** @param entry path below the root */
export const compileText = async (entry: TextEntry): Promise<string> =>
  (await bundle(entry, TEXTS[entry])).text

/** Returns the places of the modules in all texts (licenses/places.ts). */
export const placesOfTexts = async (): Promise<readonly string[]> => {
  const bundles = Object.entries(TEXTS).map(([entry, options]) => bundle(entry, options))
  return (await Promise.all(bundles)).flatMap(({ places }) => places)
}
