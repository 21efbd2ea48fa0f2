import { expect, test } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { compilerOptions } from './compiler-options.ts'

const encoder = new TextEncoder()
const read = (files: Readonly<Record<string, string>>) =>
  compilerOptions(
    new Map(Object.entries(files).map(([path, text]) => [path, encoder.encode(text)])),
  )
const tsconfig = (text: string) => read({ 'tsconfig.json': text })

const NONE = { raw: '{}', files: [] }
const decorators = (more: object = {}) =>
  JSON.stringify({ compilerOptions: { experimentalDecorators: true, ...more } })

test('nothing is read without experimentalDecorators', () => {
  expect(read({})).toEqual(NONE)
  expect(tsconfig('{"compilerOptions":{"target":"ES5","useDefineForClassFields":false}}')).toEqual(
    NONE,
  )
  expect(tsconfig('{"compilerOptions":{"experimentalDecorators":false}}')).toEqual(NONE)
  expect(tsconfig('{"compilerOptions":{"experimentalDecorators":"true"}}')).toEqual(NONE)
})

test.each(['', '{', '[]', 'null', '{"compilerOptions":7}', '{"compilerOptions":null,"extends":9}'])(
  'a file that is not a tsconfig counts as none: %s',
  (text) => {
    expect(tsconfig(text)).toEqual(NONE)
  },
)

test('comments and last commas are allowed, and texts that look like them stay', () => {
  const text = `// why
  { /* "*/ "compilerOptions": { "x": "// \\" /*", "experimentalDecorators": true, // on
    "target": "ES2017", "paths": { "@/*": ["./*",] }, }, }
  /* not closed`
  expect(tsconfig(text)).toEqual({
    raw: decorators({ target: 'ES2017' }),
    files: ['tsconfig.json'],
  })
})

test('a value of a wrong type is left out', () => {
  const odd = { useDefineForClassFields: 'no', target: '; rm' }
  expect(tsconfig(decorators(odd)).raw).toBe(decorators())
  expect(tsconfig(decorators({ useDefineForClassFields: false })).raw).toBe(
    decorators({ useDefineForClassFields: false }),
  )
})

test('files that it extends inside the app count, and the file itself wins', () => {
  const found = read({
    'tsconfig.json': '{"extends":["./config/first","./config/second.json"],"compilerOptions":{}}',
    'config/first.json': decorators({ target: 'ES5', useDefineForClassFields: true }),
    'config/second.json': '{"extends":"../base.json","compilerOptions":{"target":"ES2022"}}',
    'base.json': '{"compilerOptions":{"useDefineForClassFields":false}}',
  })
  expect(found).toEqual({
    raw: decorators({ useDefineForClassFields: false, target: 'ES2022' }),
    files: ['base.json', 'config/first.json', 'config/second.json', 'tsconfig.json'],
  })
})

test('files that extend each other, or lie outside of the app, end the search', () => {
  const found = read({
    'tsconfig.json': '{"extends":["./a.json","../outside.json","@tsconfig/node22/tsconfig.json"]}',
    'a.json': '{"extends":"./tsconfig.json","compilerOptions":{"experimentalDecorators":true}}',
  })
  expect(found).toEqual({ raw: decorators(), files: ['a.json', 'tsconfig.json'] })
})

test('a large file of comments costs little', () => {
  const before = cpuMs()
  tsconfig('/*'.repeat(32_000))
  tsconfig(`{"a":"${'\\"'.repeat(32_000)}`)
  tsconfig(`[${', '.repeat(32_000)}`)
  expect(cpuMs() - before).toBeLessThan(1_000)
})
