/** Modules of many megabytes, in which each of the bundler's expressions finds a lot: no step takes long. */
import { expect, test } from 'vitest'
import { cpuMs, leastCpuMs } from '../../test/support/cpu-time.ts'
import { hashBundle } from './bundle-hash.ts'
import type { OpenedFiles } from './file-lookup.ts'
import { withPlace, withResolved } from './module-place.ts'
import { ownFilesOf } from './own-files.ts'
import { nameSources } from './source-map.ts'
import type { Steps } from './steps.ts'

const files: OpenedFiles = {
  has: (path) => path === 'a/page.html',
  get: () => undefined,
  keys: () => [].values(),
  peek: () => new Uint8Array(1),
  opened: new Map(),
  isOverLimit: () => false,
}

const HEAD = 'const load = createRequire(import.meta.url); readFileSync(__dirname)\n'
const END = `readFileSync(join(__dirname, 'page.html')); load('./late'); require.resolve('./last')\n`

/** Sources of 8 MB. */
const SOURCES = {
  'one line of calls': `f("a.b",x);`.repeat(700_000),
  'one line without semicolons': `f("a.b",x),`.repeat(700_000),
  'short lines': `const a = "abc.txt" + b('x');\n`.repeat(270_000),
  'many resolved paths': `require.resolve('./x');`.repeat(340_000),
  'one long text': `"${'abcdefg '.repeat(1_000_000)}"`,
} as const

const finish = <Result>(steps: Steps<Result>): Readonly<{ result: Result; longestMs: number }> => {
  let longestMs = 0
  for (;;) {
    const before = cpuMs()
    const { done, value } = steps.next()
    longestMs = Math.max(longestMs, cpuMs() - before)
    if (done === true) return { result: value, longestMs }
  }
}

test.each(Object.entries(SOURCES))('%s: each step is short, and the end counts', (_, middle) => {
  const source = `${HEAD}${middle};\n${END}`
  const resolved = finish(withResolved(source, () => 'a/last.js'))
  const placed = finish(withPlace('a/b.js', source))
  const own = finish(ownFilesOf(files, 'a/b.js', source))
  expect(resolved.result.endsWith(`"/app/a/last.js"\n`)).toBe(true)
  expect(placed.result).toContain(`require('./late')`)
  expect(own.result).toEqual(['a/page.html'])
  for (const { longestMs } of [resolved, placed, own]) expect(longestMs).toBeLessThan(50)
})

test('the code and the map of a bundle of 20 MB are hashed in short steps', () => {
  const bundle = { code: 'x'.repeat(20_000_000), sourceMap: 'y'.repeat(20_000_000) }
  expect([...hashBundle(bundle)].length).toBeGreaterThanOrEqual(10)
  expect(finish(hashBundle(bundle)).longestMs).toBeLessThan(50)
})

test('the sources of a map of 20 MB are named without a long turn, and all else stays', () => {
  const map = {
    version: 3,
    sources: ['app:a "mappings": "x.ts', 'sdk:@svc/sdk'],
    mappings: 'AAAA,SAAS;'.repeat(2_000_000),
    names: ['a"b'],
  }
  // the form of esbuild
  const text = JSON.stringify(map, null, 2).replaceAll(/\[\s+/g, '[')
  expect(JSON.parse(nameSources(text, 1))).toEqual({
    ...map,
    sources: ['a "mappings": "x.ts', 'sdk:@svc/sdk'],
    mappings: `;${map.mappings}`,
  })
  expect(leastCpuMs(50, () => nameSources(text, 1))).toBeLessThan(50)
})
