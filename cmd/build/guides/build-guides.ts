/**
 * Builds the guides, which are served at /docs, from the Markdown of docs/ and examples/ into dist/docs, and with them the package
 * `@svc/sdk`, so that a project gets it from its server.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { packArchive } from '../../../internal/bundle/pack-archive.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Passage } from '../../../web/guides/search.ts'
import { buildSdk } from '../build-sdk.ts'
import { placesIn } from '../licenses/places.ts'
import { type BuiltFolder, buildServedFolder, hashSources, servedAssets } from '../served-folder.ts'
import { readContents } from './contents.ts'
import { type PageName, type Rendered, renderMarkdown } from './markdown.ts'
import { type Assets, contentsPage, documentPage, GUIDES, missingPage } from './page.ts'

const root = resolve(import.meta.dirname, '../../..')
const OUTPUT = join(root, 'dist', 'docs')

const SOURCES = [
  '*.md',
  'docs/**/*',
  'examples/*/**/*.{md,ts,yaml,json}',
  'web/guides/*',
  'web/src/theme/tokens.css',
  'web/public/*',
  'cmd/build/guides/*.ts',
  'cmd/build/served-folder.ts',
  'cmd/build/licenses/places.ts',
  'cmd/build/build-sdk.ts',
  'sdk/*',
  // the package runs durable code in tests as svc does
  'internal/{core,sandbox/guest}/**/*.ts',
  'package.json',
  'package-lock.json',
]

const writeTo = (folder: string, name: string, content: string): void => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const copyTo = (folder: string, name: string, from: string): void => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(join(root, from), path)
}

/** Writes a file whose name contains its hash. @returns its address */
const writeHashed = (folder: string, name: string, content: string): string => {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10)
  const hashed = `assets/${name.replace('.', `-${hash}.`)}`
  writeTo(folder, hashed, content)
  return `${GUIDES}${hashed}`
}

type Bundle = Readonly<{ text: string; places: readonly string[] }>

const bundle = async (path: string): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, path)],
    bundle: true,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    write: false,
    metafile: true,
    legalComments: 'none',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error(`esbuild made nothing of ${path}.`)
  return { text: output.text, places: placesIn(metafile) }
}

const writePages = async (
  folder: string,
): Promise<Readonly<{ pages: number; places: readonly string[] }>> => {
  const sections = readContents(root)
  const sources = sections.flatMap((section) => section.sources)
  const names = new Map<string, PageName>()
  for (const { path, slug, title } of sources) {
    names.set(path, { address: `${GUIDES}${slug}`, title })
    // documents also link to the folder of an example
    if (slug.startsWith('examples/')) names.set(slug, { address: `${GUIDES}${slug}`, title })
  }
  const pages = sources.map((source) => ({
    source,
    rendered: renderMarkdown(source.markdown, {
      root,
      path: source.path,
      pageOf: (path) => names.get(path),
    }),
  }))
  for (const image of new Set(pages.flatMap(({ rendered }) => rendered.images))) {
    copyTo(folder, image.replace(/^docs\//, ''), image)
  }
  copyTo(folder, 'favicon.svg', 'web/public/favicon.svg')
  // a theme chosen in the console also applies here
  copyTo(folder, 'theme.js', 'web/public/theme.js')
  const style = await bundle('web/guides/guides.css')
  const script = await bundle('web/guides/guides.ts')
  const assets: Assets = {
    style: writeHashed(folder, 'guides.css', style.text),
    script: writeHashed(folder, 'guides.js', script.text),
    search: writeHashed(folder, 'search.json', JSON.stringify(pages.flatMap(toPassages))),
  }
  const frame = { sections, assets, version: packageJson.version }
  for (const page of pages) writeTo(folder, `${page.source.slug}.html`, documentPage(frame, page))
  writeTo(folder, 'index.html', contentsPage(frame))
  writeTo(folder, 'missing.html', missingPage(frame))
  return { pages: pages.length, places: [...style.places, ...script.places] }
}

/** Packs `@svc/sdk` as npm installs it. */
const writeSdk = async (folder: string): Promise<void> => {
  const built = mkdtempSync(join(tmpdir(), 'svc-sdk-'))
  try {
    buildSdk(built)
    const files = new Map(
      readdirSync(built).map((name) => [`package/${name}`, readFileSync(join(built, name))]),
    )
    const archive = await packArchive(files, [...files.keys()].toSorted())
    writeFileSync(join(folder, `svc-sdk-${packageJson.version}.tgz`), archive)
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}

type Page = Readonly<{ source: Readonly<{ slug: string; title: string }>; rendered: Rendered }>

const toPassages = ({ source, rendered }: Page): readonly Passage[] =>
  rendered.passages.map(({ id, title, text }, at) => ({
    address: `${GUIDES}${source.slug}${at === 0 ? '' : `#${id}`}`,
    title,
    page: source.title,
    text,
  }))

/** Builds the guides unless they are up to date. @throws {Error} naming a wrong link or block of a document */
export const buildGuides = (): Promise<BuiltFolder> =>
  buildServedFolder({
    folder: OUTPUT,
    source: hashSources(
      root,
      SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root })),
    ),
    write: async (draft) => {
      const { pages, places } = await writePages(draft)
      await writeSdk(draft)
      return {
        places,
        toFacts: (sizes) => ({
          pages,
          bytes: [...sizes.values()].reduce((sum, each) => sum + each, 0),
        }),
      }
    },
  })

/** Returns the files of the built guides by asset name in the binary. */
export const guideAssets = (): Readonly<Record<string, string>> => servedAssets(OUTPUT, 'docs')
