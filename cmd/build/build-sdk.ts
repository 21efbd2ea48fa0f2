/**
 * Builds the package `@svc/sdk` for `npm pack`: .js and .d.ts files for Node, Deno and browsers. It cannot ship the
 * TypeScript source, because Node does not strip types below node_modules.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { ROOT } from '../root.ts'
import { noticesText } from '../svc/license-notices.ts'
import { collectNotices } from './licenses/notices.ts'
import { placesIn } from './licenses/places.ts'

const sdk = join(ROOT, 'sdk')

const packageShape = z.looseObject({
  exports: z.record(z.string(), z.object({ types: z.string(), default: z.string() })),
})

const metafileShape = z.object({
  outputs: z.record(
    z.string(),
    z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) }),
  ),
})

type Exports = z.infer<typeof packageShape>['exports']

/** Renames the exports from source files to built files. */
const toBuilt = (exports: Exports): Exports =>
  Object.fromEntries(
    Object.entries(exports).map(([name, to]) => [
      name,
      { types: to.types.replace(/\.ts$/, '.d.ts'), default: to.default.replace(/\.ts$/, '.js') },
    ]),
  )

const compileTo = (
  folder: string,
  sources: readonly string[],
  own: Readonly<Record<string, string>>,
): void => {
  const settings = {
    outDir: folder,
    target: 'es2023',
    lib: 'es2023,dom,dom.iterable,dom.asynciterable',
    module: 'nodenext',
    strict: 'true',
    exactOptionalPropertyTypes: 'true',
    verbatimModuleSyntax: 'true',
    ...own,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const files = sources.map((source) => join(sdk, source))
  execFileSync(process.execPath, [tsc, '--ignoreConfig', ...flags, ...files], { stdio: 'inherit' })
}

/** Durable tests run svc's own code, so their entry is bundled; its types refer only to those of the package. */
const TESTING = 'testing.ts'

/**
 * Bundles the entry, and keeps its exported types. Modules of core that it reaches write `import * as z from 'zod'`, of which the
 * bundle takes a quarter; of `{ z }` it would take all. LICENSES.txt has the licences of what is bundled.
 */
const bundleTesting = (folder: string): void => {
  const metafile = join(folder, 'testing.json')
  const esbuild = join(ROOT, 'node_modules', 'esbuild', 'bin', 'esbuild')
  const flags = ['--bundle', '--platform=node', '--format=esm', '--target=es2023']
  // a separate process, because the library would leave one running
  execFileSync(
    process.execPath,
    [
      esbuild,
      join(sdk, TESTING),
      ...flags,
      `--outfile=${join(folder, 'testing.js')}`,
      `--metafile=${metafile}`,
      '--log-level=warning',
    ],
    { stdio: 'inherit' },
  )
  const places = placesIn(metafileShape.parse(JSON.parse(readFileSync(metafile, 'utf8'))))
  rmSync(metafile)
  const notices = collectNotices(places.map((place) => join(ROOT, place)))
  writeFileSync(join(folder, 'LICENSES.txt'), noticesText(notices))
  const types = join(folder, 'testing-types')
  compileTo(types, [TESTING], {
    declaration: 'true',
    emitDeclarationOnly: 'true',
    allowImportingTsExtensions: 'true',
    rootDir: ROOT,
    types: 'node',
  })
  for (const name of ['testing.d.ts', 'testing-types.d.ts']) {
    copyFileSync(join(types, 'sdk', name), join(folder, name))
  }
  rmSync(types, { recursive: true })
}

/** Rewrites imports in .d.ts files, because tsc rewrites only imports in code. */
const rewriteTypes = (path: string): void => {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/ from '(\.\/[^']+)\.ts'/g, " from '$1.js'"))
}

/** Builds the package. @param folder emptied first */
export const buildSdk = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = packageShape.parse(JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')))
  const sources = Object.values(manifest.exports).map((to) => to.default.replace(/^\.\//, ''))
  compileTo(
    folder,
    sources.filter((source) => source !== TESTING),
    { declaration: 'true', rewriteRelativeImportExtensions: 'true', types: '' },
  )
  bundleTesting(folder)
  for (const name of globSync('*.d.ts', { cwd: folder })) rewriteTypes(join(folder, name))
  const built = { ...manifest, exports: toBuilt(manifest.exports) }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(built, null, 2)}\n`)
  copyFileSync(join(sdk, 'README.md'), join(folder, 'README.md'))
}
