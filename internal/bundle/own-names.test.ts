/** Imports of an app's own files by `paths` of a tsconfig.json, and by the names of its packages. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bundleEntries } from './bundle-entries.ts'
import { resolveImport } from './resolve-import.ts'
import { tsconfigPaths } from './tsconfig-paths.ts'
import { workspaces } from './workspaces.ts'

/** TypeScript's name for the folder of the tsconfig.json. */
const DIR = '$' + '{configDir}'

type Texts = Readonly<Record<string, string | object>>
const toFiles = (texts: Texts): ReadonlyMap<string, Uint8Array> =>
  new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      new TextEncoder().encode(typeof text === 'string' ? text : JSON.stringify(text)),
    ]),
  )

/** Returns the path that an import leads to, the name of a built-in module, or the message for its author. */
const resolve = (texts: Texts, specifier: string, importer = 'actions/a.ts'): string => {
  const files = toFiles(texts)
  const names = { paths: tsconfigPaths(files), workspace: workspaces(files) }
  const found = resolveImport(files, { specifier, importer, isRequire: false }, names)
  if (found.kind === 'file') return found.path
  if (found.kind === 'builtin') return found.name
  return found.kind === 'missing' ? found.message : found.kind
}
const options = (compilerOptions: object, more: object = {}) => ({ compilerOptions, ...more })

describe('paths of a tsconfig.json', () => {
  const app: Texts = {
    'tsconfig.json': options({
      paths: {
        '@/*': ['./src/*'],
        '@/lib/*': ['./generated/*', './lib/*'],
        '#config': ['./src/config.ts'],
        '*.sql': ['./queries/*.sql'],
        events: ['./src/events.ts'],
        react: ['./node_modules/preact/compat'],
        typed: ['./types/typed.d.ts', './types/typed'],
        'up/*': ['../shared/*'],
        '/root/*': ['/etc/*'],
      },
    }),
    'src/a.ts': '',
    'src/pages/index.tsx': '',
    'src/config.ts': '',
    'src/events.ts': '',
    'lib/b.ts': '',
    'queries/jobs.sql': '',
    'types/typed.d.ts': '',
    'node_modules/typed/index.js': '',
    'node_modules/preact/compat/package.json': { main: 'dist/compat.js' },
    'node_modules/preact/compat/dist/compat.js': '',
    'node_modules/p/index.js': '',
    'node_modules/p/src/a.ts': '',
  }
  it.each([
    ['@/a', 'src/a.ts'],
    ['@/a.js', 'src/a.ts'],
    ['@/pages', 'src/pages/index.tsx'],
    ['@/lib/b', 'lib/b.ts'],
    ['#config', 'src/config.ts'],
    ['jobs.sql', 'queries/jobs.sql'],
    ['events', 'src/events.ts'],
    ['node:events', 'node:events'],
    ['react', 'node_modules/preact/compat/dist/compat.js'],
    ['typed', 'node_modules/typed/index.js'],
    ['p', 'node_modules/p/index.js'],
    ['fs', 'node:fs'],
    ['@svc/sdk', 'sdk'],
  ])('%s leads to %s', (specifier, path) => {
    expect(resolve(app, specifier)).toBe(path)
  })

  it('do not count for the code of packages', () => {
    expect(resolve(app, '@/a', 'node_modules/p/index.js')).toContain('Cannot find the package')
    expect(resolve(app, 'events', 'node_modules/p/index.js')).toBe('node:events')
  })

  it('that lead nowhere, or outside of the app, are named', () => {
    expect(resolve(app, '@/none')).toBe(
      'Cannot find "@/none". "paths" of tsconfig.json leads to src/none, which is not among the files of the app.',
    )
    for (const name of ['up/x', '/root/passwd', '@/../../x']) {
      expect(resolve(app, name)).toContain(
        `Cannot find "${name}". "paths" of tsconfig.json leads outside of the app's folder.`,
      )
    }
  })

  it('that lead to a package that was not fetched are explained', () => {
    const paths = { 'time/*': ['./node_modules/*'] }
    expect(resolve({ 'tsconfig.json': options({ paths }) }, 'time/ms')).toBe(
      'Cannot find "time/ms". "paths" of tsconfig.json leads to node_modules/ms, which is not among the files of the app. ' +
        'svc fetches packages that the code imports by their own names, and none for "paths".',
    )
  })

  it('are those of the nearest tsconfig.json, also where it extends another', () => {
    const monorepo: Texts = {
      'tsconfig.json': options({ paths: { '@/*': ['./root/*'] } }),
      'root/x.ts': '',
      'base.json': options({
        paths: { '@shared/*': ['./shared/*'], '@own/*': [`${DIR}/own/*`] },
      }),
      'shared/x.ts': '',
      'apps/mail/tsconfig.json': { extends: '../../base.json' },
      'apps/mail/own/x.ts': '',
      'apps/shop/tsconfig.json': options({ baseUrl: `${DIR}/src` }, { extends: '../../base' }),
      'apps/shop/src/shared/x.ts': '',
    }
    const [mail, shop] = ['apps/mail/actions/a.ts', 'apps/shop/a.ts']
    expect(resolve(monorepo, '@/x')).toBe('root/x.ts')
    expect(resolve(monorepo, '@/x', mail)).toContain('Cannot find "@/x".')
    expect(resolve(monorepo, '@shared/x', mail)).toBe('shared/x.ts')
    expect(resolve(monorepo, '@own/x', mail)).toBe('apps/mail/own/x.ts')
    expect(resolve(monorepo, '@shared/x', shop)).toBe('apps/shop/src/shared/x.ts')
  })

  it('begin at baseUrl, which also leads by itself', () => {
    const based: Texts = {
      'tsconfig.json': options({ baseUrl: './src', paths: { '~/*': ['lib/*'] } }),
      'src/lib/x.ts': '',
      'src/zod/index.ts': '',
      'node_modules/zod/index.js': '',
      'node_modules/other/index.js': '',
    }
    expect(resolve(based, '~/x')).toBe('src/lib/x.ts')
    expect(resolve(based, 'lib/x')).toBe('src/lib/x.ts')
    expect(resolve(based, 'zod')).toBe('src/zod/index.ts')
    expect(resolve(based, 'other')).toBe('node_modules/other/index.js')
    expect(resolve(based, 'gone')).toContain('Cannot find the package "gone".')
    const modules: Texts = {
      'tsconfig.json': options({ baseUrl: './node_modules', paths: { '*': ['*'] } }),
      'node_modules/p/package.json': { main: 'old.js', exports: './new.js' },
      'node_modules/p/old.js': '',
      'node_modules/p/new.js': '',
    }
    expect(resolve(modules, 'p')).toBe('node_modules/p/new.js')
    expect(resolve({ ...based, 'tsconfig.json': options({ baseUrl: '..' }) }, 'src/x')).toContain(
      'Cannot find the package "src/x".',
    )
  })

  it('are named as missing where an import looks like one of them', () => {
    const bare: Texts = { 'actions/a.ts': '', 'lib/x.ts': '' }
    const base: Texts = { ...bare, 'tsconfig.json': { extends: '../tsconfig.base.json' } }
    for (const name of ['@/lib/x', '~/lib/x', 'lib/x']) {
      expect(resolve(bare, name)).toBe(
        `Cannot find "${name}". No "paths" of a tsconfig.json leads there: add them to a tsconfig.json of the app, or write a relative path.`,
      )
      expect(resolve(base, name)).toContain(
        'tsconfig.json extends ../tsconfig.base.json, which is not among the files of the app: copy its "paths"',
      )
    }
  })

  it.each(['7', '[]', '{"a":7}', '{"a":[7,null]}', '{"a":["*/*"]}', '{"**":["./**"]}', '"x"'])(
    'of a wrong form count as none: %s',
    (paths) => {
      const text = `{"compilerOptions":{"baseUrl":7,"paths":${paths}}}`
      expect(resolve({ 'tsconfig.json': text }, 'a')).toContain('Cannot find')
    },
  )

  it('cost little when there are many', () => {
    const paths = Object.fromEntries(Array.from({ length: 3_500 }, (_, n) => [`a${n}/*`, ['./x']]))
    const files = toFiles({ 'tsconfig.json': options({ paths }), 'x.ts': '' })
    const names = { paths: tsconfigPaths(files), workspace: workspaces(files) }
    expect(resolve({ 'tsconfig.json': options({ paths }), 'x.ts': '' }, 'a7/x')).toBe('x.ts')
    const start = performance.now()
    for (let n = 0; n < 5_000; n += 1) {
      resolveImport(files, { specifier: `b${n}`, importer: 'a.ts', isRequire: false }, names)
    }
    expect(performance.now() - start).toBeLessThan(4_000)
  })

  it('never lead outside of the app (property)', () => {
    const part = fc.constantFrom('..', '.', 'a', 'p', '*', '', 'node_modules', DIR)
    const path = fc.array(part, { maxLength: 5 }).map((parts) => parts.join('/'))
    const paths = fc.dictionary(path, fc.array(path, { maxLength: 3 }))
    fc.assert(
      fc.property(paths, fc.option(path), path, path, (given, baseUrl, specifier, importer) => {
        const files = toFiles({
          'tsconfig.json': options(baseUrl === null ? { paths: given } : { paths: given, baseUrl }),
          'a/index.ts': '',
          'node_modules/p/index.js': '',
        })
        const names = { paths: tsconfigPaths(files), workspace: workspaces(files) }
        const found = resolveImport(files, { specifier, importer, isRequire: false }, names)
        if (found.kind === 'file') expect([...files.keys()]).toContain(found.path)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a package of the app itself', () => {
  const app: Texts = {
    'package.json': { name: 'root', workspaces: ['packages/*'] },
    'packages/shared/package.json': {
      name: '@acme/shared',
      exports: { '.': './src/index.ts', './money': './src/money.ts' },
    },
    'packages/shared/src/index.ts': '',
    'packages/shared/src/money.ts': '',
    'packages/plain/package.json': { name: 'plain' },
    'packages/plain/index.ts': '',
    'packages/plain/lib/x.ts': '',
    'packages/built/package.json': { name: 'built', main: 'dist/index.js' },
    'packages/built/src/index.ts': '',
    'packages/hidden/package.json': { name: 'hidden', main: '../../secret.ts' },
    'secret.ts': '',
  }
  it.each([
    ['@acme/shared', 'packages/shared/src/index.ts'],
    ['@acme/shared/money', 'packages/shared/src/money.ts'],
    ['plain', 'packages/plain/index.ts'],
    ['plain/lib/x', 'packages/plain/lib/x.ts'],
  ])('is imported by its name: %s', (name, path) => {
    expect(resolve(app, name)).toBe(path)
  })

  it('comes after one in node_modules', () => {
    const installed = { ...app, 'node_modules/plain/index.js': '' }
    expect(resolve(installed, 'plain')).toBe('node_modules/plain/index.js')
  })

  it('that names a file which is missing states so', () => {
    const message = 'among the files of packages/built, whose package.json has this name.'
    expect(resolve(app, 'built')).toContain(`Cannot find "built" ${message} If it names compiled`)
    expect(resolve(app, '@acme/shared/none')).toContain('among the files of packages/shared')
    expect(resolve(app, 'hidden')).toContain('among the files of packages/hidden')
  })
})

it('a bundle contains the tsconfig.json by whose paths it imports, and others do not', async () => {
  const files = toFiles({
    'tsconfig.json': options({}, { extends: './config/base.json' }),
    'config/base.json': options({ paths: { '@/*': ['../lib/*'] } }),
    'lib/x.ts': `import { y } from '@acme/y'; export const x = () => y + 1`,
    'packages/y/package.json': { name: '@acme/y', exports: './src/y.ts' },
    'packages/y/src/y.ts': 'export const y: number = 41',
    'actions/a.ts': `import { x } from '@/x'; export const main = () => x()`,
    'actions/b.ts': 'export const main = () => 1',
  })
  const [a, b] = await bundleEntries(files, ['actions/a.ts', 'actions/b.ts'])
  expect(a?.sources).toEqual([
    'actions/a.ts',
    'config/base.json',
    'lib/x.ts',
    'packages/y/package.json',
    'packages/y/src/y.ts',
    'tsconfig.json',
  ])
  expect(b?.sources).toEqual(['actions/b.ts'])
  const { code } = (await a?.loadCode()) ?? { code: '' }
  const module: { main(): unknown } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  )
  expect(module.main()).toBe(42)
})
