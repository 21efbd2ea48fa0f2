import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { madeTexts } from './made-texts.ts'

test('the binary contains the texts of the API in place of what makes them', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: "export * from '#http/reference/texts.ts'",
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: 'esm',
    write: false,
    metafile: true,
    outfile: 'texts.js',
    plugins: [madeTexts],
  })
  const [{ text } = { text: '' }] = outputFiles
  expect(text).toContain('getOpenApiDocument')
  expect(text).toContain('<title>svc API</title>')
  expect(Object.keys(metafile.inputs).toSorted()).toEqual([
    '<stdin>',
    'internal/http/reference/texts.ts',
  ])
})
