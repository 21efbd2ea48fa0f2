import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { nativeAddons } from './native-addons.ts'
import { resolveImport } from './resolve-import.ts'

const app = (...paths: readonly (string | readonly [path: string, text: unknown])[]) =>
  new Map(
    paths.map((entry) => {
      const [path, text] = typeof entry === 'string' ? [entry, ''] : entry
      return [
        path,
        new TextEncoder().encode(typeof text === 'string' ? text : JSON.stringify(text)),
      ]
    }),
  )

const resolve = (
  files: ReadonlyMap<string, Uint8Array>,
  specifier: string,
  { importer = 'main.ts', isRequire = false } = {},
): string | null => {
  const found = resolveImport(files, { specifier, importer, isRequire })
  if (found.kind === 'missing') return null
  return found.kind === 'file' ? found.path : found.kind === 'builtin' ? found.name : found.kind
}

describe('a relative import', () => {
  const files = app('lib/a.ts', 'lib/index.ts', 'lib/b/index.js', 'data.json', 'c.mts', 'lib/d.tsx')
  it.each([
    ['./lib/a', 'lib/a.ts'],
    ['./lib/a.ts', 'lib/a.ts'],
    ['./lib/a.js', 'lib/a.ts'],
    ['./lib/d.jsx', 'lib/d.tsx'],
    ['./c.mjs', 'c.mts'],
    ['./lib', 'lib/index.ts'],
    ['./lib/b', 'lib/b/index.js'],
    ['./lib/../data.json', 'data.json'],
    ['./none', null],
    ['../main', null],
    ['./lib/../../data.json', null],
  ])('%s resolves to %s', (specifier, path) => {
    expect(resolve(files, specifier)).toBe(path)
  })

  it('is resolved from the importing file', () => {
    expect(resolve(files, './a.ts', { importer: 'lib/b/index.js' })).toBeNull()
    expect(resolve(files, '../a.ts', { importer: 'lib/b/index.js' })).toBe('lib/a.ts')
    expect(resolve(files, '..', { importer: 'lib/b/index.js' })).toBe('lib/index.ts')
  })
})

it('a folder with a package.json names its main file, within a package and by a relative path', () => {
  const files = app(
    ['node_modules/p/package.json', { main: './lib/index.js' }],
    'node_modules/p/lib/index.js',
    'node_modules/p/lib/part.js',
    'node_modules/p/es/part.js',
    ['node_modules/p/part/package.json', { main: '../lib/part.js', module: '../es/part.js' }],
    'node_modules/p/lib/deep/agent.js',
    ['node_modules/p/bad/package.json', { main: '../../../../secret.js' }],
    ['node_modules/p/none/package.json', {}],
    'node_modules/p/none/index.js',
  )
  expect(resolve(files, 'p/part', { isRequire: true })).toBe('node_modules/p/lib/part.js')
  expect(resolve(files, 'p/part')).toBe('node_modules/p/es/part.js')
  const importer = 'node_modules/p/lib/deep/agent.js'
  expect(resolve(files, '../..', { importer, isRequire: true })).toBe('node_modules/p/lib/index.js')
  expect(resolve(files, 'p/bad')).toBeNull()
  expect(resolve(files, 'p/none')).toBe('node_modules/p/none/index.js')
})

it('a built-in module comes before a package of its name, which a slash at the end names', () => {
  const files = app('node_modules/buffer/index.js', 'node_modules/.made/client/index.js')
  expect(resolve(files, 'buffer')).toBe('node:buffer')
  expect(resolve(files, 'buffer/')).toBe('node_modules/buffer/index.js')
  expect(resolve(files, 'string_decoder/')).toBeNull()
  expect(resolve(files, '.made/client')).toBe('node_modules/.made/client/index.js')
})

it('a large package.json is parsed once for all imports of its package', () => {
  const exports = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, n) => [`./f${n}`, './f.js']),
  )
  const files = app(['node_modules/a/package.json', { exports }], 'node_modules/a/f.js')
  const before = cpuMs()
  for (let n = 0; n < 1_000; n += 1) {
    expect(resolve(files, `a/f${n}`)).toBe('node_modules/a/f.js')
  }
  expect(cpuMs() - before).toBeLessThan(4_000)
})

it('a package.json with more values than svc reads is not parsed', () => {
  const text = `{"main": "f.js", "more": [${'[],'.repeat(5_000_000)}1]}`
  const files = app(['node_modules/a/package.json', text], 'node_modules/a/f.js')
  const isNative = nativeAddons(files)
  const before = cpuMs()
  expect(resolve(files, 'a')).toBeNull()
  expect(isNative('node_modules/a')).toBe(false)
  expect(cpuMs() - before).toBeLessThan(50)
})

it('a long name is refused at once', () => {
  const request = { specifier: 'a/'.repeat(5_000_000), importer: 'a.ts', isRequire: false }
  const before = cpuMs()
  expect(resolveImport(app('a.ts'), request)).toMatchObject({ kind: 'missing' })
  expect(cpuMs() - before).toBeLessThan(1_000)
})

describe('a package', () => {
  it('is found in the nearest node_modules', () => {
    const files = app(
      'node_modules/one/index.js',
      'node_modules/two/index.js',
      'node_modules/two/node_modules/one/index.js',
      'src/node_modules/one/index.js',
    )
    expect(resolve(files, 'one')).toBe('node_modules/one/index.js')
    expect(resolve(files, 'one', { importer: 'src/deep/a.ts' })).toBe(
      'src/node_modules/one/index.js',
    )
    expect(resolve(files, 'one', { importer: 'node_modules/two/index.js' })).toBe(
      'node_modules/two/node_modules/one/index.js',
    )
  })

  it.each<[unknown, string, boolean, string | null]>([
    [{ main: './lib/main' }, 'p', false, 'node_modules/p/lib/main.js'],
    [{ main: 'lib/main.js', module: 'esm.mjs' }, 'p', false, 'node_modules/p/esm.mjs'],
    [{ main: 'lib/main.js', module: 'esm.mjs' }, 'p', true, 'node_modules/p/lib/main.js'],
    [{ main: 'gone.js' }, 'p', false, 'node_modules/p/index.js'],
    ['broken {', 'p', false, 'node_modules/p/index.js'],
    [{}, 'p/lib/main', false, 'node_modules/p/lib/main.js'],
    [{ exports: './esm.mjs', main: 'index.js' }, 'p', false, 'node_modules/p/esm.mjs'],
    [
      { exports: { import: './esm.mjs', require: './lib/main.js' } },
      'p',
      false,
      'node_modules/p/esm.mjs',
    ],
    [
      { exports: { import: './esm.mjs', require: './lib/main.js' } },
      'p',
      true,
      'node_modules/p/lib/main.js',
    ],
    [
      { exports: { '.': { node: { import: './esm.mjs' }, default: './index.js' } } },
      'p',
      false,
      'node_modules/p/esm.mjs',
    ],
    [
      { exports: { '.': [{ browser: './x.js' }, './index.js'] } },
      'p',
      false,
      'node_modules/p/index.js',
    ],
    [{ exports: { '.': './index.js' } }, 'p/lib/main.js', false, null],
    [{ exports: { './*': './lib/*.js', './m*': './*.mjs' } }, 'p/main', false, null],
    [{ exports: { './l/*': './lib/*.js' } }, 'p/l/main', false, 'node_modules/p/lib/main.js'],
    [{ exports: { './l/*': './lib/*.js', './l/m*': null } }, 'p/l/main', false, null],
    [{ exports: '../../secret.js' }, 'p', false, null],
    [{ exports: '/etc/passwd' }, 'p', false, null],
    [{ main: '../../secret.js' }, 'p', false, 'node_modules/p/index.js'],
    [{ browser: './esm.mjs' }, 'p', false, 'node_modules/p/index.js'],
  ])('with %j: %s (require: %s) resolves to %s', (manifest, specifier, isRequire, path) => {
    const files = app(
      'secret.js',
      'node_modules/p/index.js',
      'node_modules/p/esm.mjs',
      'node_modules/p/lib/main.js',
      ['node_modules/p/package.json', manifest],
    )
    expect(resolve(files, specifier, { isRequire })).toBe(path)
  })

  it('may have a scope, and import parts of itself', () => {
    const files = app(
      [
        'node_modules/@a/b/package.json',
        { exports: './main.js', imports: { '#in/*': './in/*.js', '#dep': 'other' } },
      ],
      'node_modules/@a/b/main.js',
      'node_modules/@a/b/in/x.js',
      'node_modules/other/index.js',
      ['package.json', { imports: { '#lib/*': './lib/*' } }],
      'lib/y.ts',
    )
    expect(resolve(files, '@a/b')).toBe('node_modules/@a/b/main.js')
    const importer = 'node_modules/@a/b/main.js'
    expect(resolve(files, '#in/x', { importer })).toBe('node_modules/@a/b/in/x.js')
    expect(resolve(files, '#dep', { importer })).toBe('node_modules/other/index.js')
    expect(resolve(files, '#lib/y', { importer })).toBeNull()
    expect(resolve(files, '#lib/y.ts', { importer: 'src/main.ts' })).toBe('lib/y.ts')
  })

  it('that is built in needs no copy', () => {
    expect(resolve(app(), 'node:fs')).toBe('node:fs')
    expect(resolve(app(), 'events')).toBe('node:events')
    expect(resolve(app(), 'fs/promises')).toBe('node:fs/promises')
    expect(resolve(app(), '@svc/sdk')).toBe('sdk')
    expect(resolve(app(), '@svc/sdk/client')).toBe('sdk_client')
  })
})

describe('a missing import', () => {
  const messageOf = (
    files: ReadonlyMap<string, Uint8Array>,
    specifier: string,
    importer = 'main.ts',
  ): string => {
    const found = resolveImport(files, { specifier, importer, isRequire: false })
    if (found.kind !== 'missing') throw new Error(`It was found: ${JSON.stringify(found)}`)
    return found.message
  }

  it.each([
    ['pnpm-lock.yaml', 'pnpm install --node-linker=hoisted'],
    ['yarn.lock', 'nodeLinker: node-modules'],
    ['bun.lock', 'bun install --linker=hoisted'],
  ])('of a package states what to do with %s', (lock, install) => {
    const message = messageOf(app('main.ts', lock), 'nanoid')
    expect(message).toContain(`Cannot find the package "nanoid". svc does not read ${lock}.`)
    expect(message).toContain(install)
    expect(messageOf(app('main.ts', lock, 'package-lock.json'), 'nanoid')).not.toContain(lock)
  })

  it('outside of the folder states which folder to deploy', () => {
    const files = app('actions/a.ts')
    const outside = messageOf(files, '../../shared/x.ts', 'actions/a.ts')
    expect(outside).toContain('Deploy a folder that contains both')
    expect(messageOf(files, '../shared/x.ts', 'actions/a.ts')).not.toContain('Deploy')
  })
})

it('never resolves outside of the app (property)', () => {
  const part = fc.constantFrom(
    '..',
    '.',
    'a',
    'p',
    'node_modules',
    'etc',
    '',
    'constructor',
    '__proto__',
    '*',
  )
  const path = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'))
  const specifier = fc.oneof(
    path,
    path.map((text) => `./${text}`),
    path.map((text) => `#${text}`),
    fc.string(),
  )
  const target = fc.oneof(
    path,
    path.map((text) => `./${text}`),
  )
  const manifest = fc.record(
    {
      main: target,
      exports: fc.oneof(
        target,
        fc.dictionary(
          path.map((text) => `./${text}`),
          target,
        ),
      ),
      imports: fc.dictionary(
        path.map((text) => `#${text}`),
        target,
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(specifier, path, manifest, fc.boolean(), (wanted, importer, one, isRequire) => {
      const files = app(
        'a/index.ts',
        'node_modules/p/index.js',
        ['package.json', one],
        ['node_modules/p/package.json', one],
      )
      const found = resolveImport(files, { specifier: wanted, importer, isRequire })
      if (found.kind === 'file') expect([...files.keys()]).toContain(found.path)
      if (found.kind === 'builtin') expect(found.name).toMatch(/^node:/)
    }),
    { numRuns: 3_000 },
  )
})
