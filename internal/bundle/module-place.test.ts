import { expect, test } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { withPlace } from './module-place.ts'
import { runSteps } from './steps.ts'

const bundled = (...lines: readonly string[]): string =>
  runSteps(withPlace('a.js', lines.join('\n'))).replace(/^var .*?;/, '')

test('calls of functions that a module makes by createRequire become calls of require', () => {
  const source = bundled(
    'const load = createRequire(import.meta.url);',
    'const r = module.createRequire(import.meta.url)',
    `load('a'); r('./b'); r('c'); load(name); other.load('d'); createRequire(import.meta.url)('e')`,
  )
  expect(source.split('\n').at(-1)).toBe(
    `require('a'); require('./b'); r('c'); load(name); other.load('d'); require('e')`,
  )
})

test('a declaration of require itself is left out, and lines stay where they are', () => {
  const source = bundled('const require = createRequire(import.meta.url);', `require('a')`)
  expect(source).toMatch(/^ +\nrequire\('a'\)$/)
})

test('a module with thousands of such functions takes no longer than its text', () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, n) => `var load${n}=createRequire(import.meta.url);`,
  )
  const before = cpuMs()
  expect(bundled(...lines, `load7('a')`)).toContain(`require('a')`)
  expect(cpuMs() - before).toBeLessThan(2_000)
})

test('a call of createRequire with a long gap and no end takes no longer than its text', () => {
  const gap = ' '.repeat(50_000)
  const calls = [`${gap}x`, `${gap})${gap}x`].map((rest) => `createRequire(import.meta.url${rest}`)
  const before = cpuMs()
  for (const call of calls) expect(bundled(`const load = ${call}`, `${call}('a')`)).toContain(call)
  expect(cpuMs() - before).toBeLessThan(1_000)
})
