import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { lighterImports, onlyEnglish, withoutUnusedMetrics } from './lighter-imports.ts'

const find = createRequire(import.meta.url).resolve
const sourceOf = (path: string): string => readFileSync(find(path), 'utf8')

/** Bundles a program in the same way as the binary. @returns its text */
const bundle = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    plugins: [lighterImports],
    external: ['bufferutil', 'utf-8-validate'],
  })
  return outputFiles.map(({ text }) => text).join('')
}

test('zod keeps its English messages and no others', async () => {
  const text = await bundle("import { z } from 'zod'; console.log(z.locales)")
  expect(text).toContain('zod/v4/locales/en.js')
  expect(text).not.toContain('zod/v4/locales/ko.js')
  expect(onlyEnglish(sourceOf('zod/v4/locales/index.js'))).toContain('en.js')
})

test('prom-client keeps counters, gauges and histograms', async () => {
  const text = await bundle("import { Counter } from 'prom-client'; console.log(Counter)")
  expect(text).toContain('prom-client/lib/histogram.js')
  expect(text).not.toMatch(/prom-client\/lib\/(?:pushgateway|cluster|defaultMetrics)\.js/)
})

test('the HTTP adapter and the WebSockets load neither HTTP/2 nor TLS at the start', async () => {
  const text = await bundle(
    "import { serve } from '@hono/node-server'; import { WebSocket } from 'ws'; console.log(serve, WebSocket)",
  )
  expect(text).toContain('getBuiltinModule("node:https")')
  expect(text).not.toMatch(/["'](?:node:)?http2["']/)
  expect(text).not.toMatch(/require\("https"\)/)
})

test('a package that has changed fails the build', () => {
  expect(() => onlyEnglish('export {}')).toThrow('zod')
  expect(() => withoutUnusedMetrics('exports.Summary = 1')).toThrow('prom-client')
})
