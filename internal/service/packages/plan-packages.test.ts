import { describe, expect, it } from 'vitest'
import { toAppFiles } from '../../../test/support/app-files.ts'
import { countTurns } from '../../../test/support/count-turns.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { planPackages } from './plan-packages.ts'

it('leaves turns to other work while it searches much code, and finds packages in every part', async () => {
  const line = 'const a = "b"\n'
  const code = `${line.repeat(200_000)}import "npm:left-pad@1.3.0"\n${line.repeat(200_000)}`
  const files = new Map([['big.ts', new TextEncoder().encode(code)]])
  const { result, turns } = await countTurns(() => planPackages(files))
  expect(result.npm).toMatchObject([{ name: 'left-pad', version: '1.3.0' }])
  expect(turns).toBeGreaterThanOrEqual(code.length / 800_000)
})

it('finds a package in a line that is longer than a part', async () => {
  const name = 'left-pad@1.3.0'
  for (const before of [262_140, 262_144 - 15, 524_288]) {
    const code = `${'x'.repeat(before)}"npm:${name}"${'x'.repeat(600_000)}`
    expect((await planPackages(toAppFiles({ 'a.ts': code }))).npm).toMatchObject([
      { name: 'left-pad', version: '1.3.0' },
    ])
  }
})

it.each([
  ['a line of millions of strings', toAppFiles({ 'a.ts': '"a",'.repeat(4_500_000) })],
  ['a module that is not UTF-8', new Map([['a.ts', new Uint8Array(18_000_000).fill(255)]])],
  [
    'a package.json of megabytes',
    toAppFiles({
      'package.json': `{"x": "${'\\u00e9'.repeat(3_000_000)}"}`,
      'package-lock.json': '{"lockfileVersion": 3, "packages": {"": {}}}',
    }),
  ],
])('leaves turns to other work in %s', async (_, files) => {
  expect(await leastLongestTurnMs(() => planPackages(files))).toBeLessThan(50)
})

it('leaves out the SDK, which a project installs from a file for its tests', async () => {
  const texts = {
    'act.ts': "import type { ActionContext } from '@svc/sdk'\nimport 'left-pad'",
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { devDependencies: { '@svc/sdk': 'file:svc-sdk-0.1.0.tgz', 'left-pad': '1.3.0' } },
        'node_modules/@svc/sdk': {
          version: '0.1.0',
          resolved: 'file:svc-sdk-0.1.0.tgz',
          dev: true,
        },
        'node_modules/left-pad': { version: '1.3.0' },
      },
    }),
  }
  const { locked } = await planPackages(toAppFiles(texts))
  expect(locked.map(({ folder }) => folder)).toEqual(['node_modules/left-pad'])
})

it('leaves out workspaces that are files of the app, and takes the versions that they have for themselves', async () => {
  const texts = {
    'act.ts': "import '@acme/shared'\nimport 'left-pad'",
    'package.json': JSON.stringify({ dependencies: { '@acme/shared': '^1.0.0' } }),
    'packages/shared/package.json': JSON.stringify({ name: '@acme/shared' }),
    'packages/shared/index.ts': "import 'left-pad'",
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': {},
        'node_modules/@acme/shared': { resolved: 'packages/shared', link: true },
        'node_modules/left-pad': { version: '1.3.0' },
        'packages/shared': { version: '1.0.0', dependencies: { 'left-pad': '1.0.0' } },
        'packages/shared/node_modules/left-pad': {
          version: '1.0.0',
          dependencies: { deep: '1.0.0' },
        },
        'packages/shared/node_modules/deep': { version: '1.0.0' },
        'packages/shared/node_modules/unused': { version: '1.0.0' },
        'packages/shared/node_modules/unused/node_modules/left-pad': { version: '0.9.0' },
      },
    }),
  }
  const { locked } = await planPackages(toAppFiles(texts))
  expect(locked.map(({ folder, locked: { version } }) => [folder, version])).toEqual([
    ['node_modules/left-pad', '1.3.0'],
    ['packages/shared/node_modules/deep', '1.0.0'],
    ['packages/shared/node_modules/left-pad', '1.0.0'],
  ])
})

describe('a lock file whose root does not repeat package.json', () => {
  const plan = (range: string, root: Readonly<Record<string, unknown>>) => {
    const texts = {
      'act.ts': "import 'left-pad'",
      'package.json': JSON.stringify({ dependencies: { 'left-pad': range } }),
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: { '': root, 'node_modules/left-pad': { version: '1.3.0' } },
      }),
    }
    return planPackages(toAppFiles(texts))
  }

  it.each([
    ['^1.2.0', {}],
    ['1.3.0', { dependencies: { 'left-pad': '^1.0.0' } }],
    ['*', { name: 'app' }],
  ])('is taken, as by npm ci, if its version fits %s', async (range, root) => {
    const { locked } = await plan(range, root)
    expect(locked.map(({ folder }) => folder)).toEqual(['node_modules/left-pad'])
  })

  it.each(['^2.0.0', '1.2.0', 'github:left/pad'])('is refused for %s', async (range) => {
    await expect(plan(range, {})).rejects.toMatchObject({ code: 'bad_lock_file' })
  })
})
