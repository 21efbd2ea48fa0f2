import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { lighterYargs, withLateTables, withoutWrittenHelp } from './lighter-yargs.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-late-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fromHere = createRequire(import.meta.url)
/** The copies that yargs itself and its column layout use. */
const PACKAGES = [
  fromHere.resolve('string-width'),
  createRequire(fromHere.resolve('cliui')).resolve('string-width'),
]
const TEXTS = [
  'plain',
  '한글 도움말',
  '👩‍👩‍👧 family',
  'e\u0301\u200b',
  '\u001b[1mbold\u001b[0m',
  '1️⃣',
  '',
]

/** Loads the package, and counts the segmenters that it creates. */
const load = async (path: string, plugins: (typeof lighterYargs)[]) => {
  const outfile = join(folder, `${Math.random()}.js`)
  const { outputFiles } = await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'loaded',
    footer: { js: 'loaded' },
    target: 'esnext',
    plugins,
  })
  let made = 0
  class Segmenter extends Intl.Segmenter {
    constructor() {
      super()
      made += 1
    }
  }
  const loaded: unknown = runInNewContext(outputFiles[0]?.text ?? '', {
    Intl: { Segmenter },
  })
  const { default: widthOf } = z
    .object({ default: z.custom<(text: string) => number>() })
    .parse(loaded)
  return { widthOf, made: () => made }
}

test.each(PACKAGES)('widths are what %s measures unpatched', async (path) => {
  const plain = await load(path, [])
  const patched = await load(path, [lighterYargs])
  expect(TEXTS.map(patched.widthOf)).toEqual(TEXTS.map(plain.widthOf))
})

test.each(PACKAGES)('%s reads no table before a width is measured', async (path) => {
  const { widthOf, made } = await load(path, [lighterYargs])
  expect(made()).toBe(0)
  widthOf('한글')
  widthOf('글')
  expect(made()).toBe(1)
})

test('a source that has changed is refused', () => {
  expect(() => withLateTables('const other = 1;')).toThrow('Update its patch')
  expect(() => withoutWrittenHelp('const other = 1;')).toThrow('Update its patch')
})
