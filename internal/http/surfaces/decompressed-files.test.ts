import { expect, it } from 'vitest'
import { createDecompress } from './decompressed-files.ts'

const source = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

it('decompresses a file once while it is used', () => {
  const decompressed: string[] = []
  const decompress = createDecompress((bytes) => {
    decompressed.push(new TextDecoder().decode(bytes))
    return bytes
  }, 8)
  for (const name of ['one', 'one', 'two', 'one']) {
    expect(decompress(name, source(name)).toString()).toBe(name)
  }
  expect(decompressed).toEqual(['one', 'two'])
  // both together would have nine bytes
  decompress('new', source('new'))
  decompress('one', source('one'))
  decompress('two', source('two'))
  expect(decompressed).toEqual(['one', 'two', 'new', 'two'])
})

it('returns a file that is larger than what it keeps', () => {
  const decompress = createDecompress((bytes) => bytes, 2)
  expect(decompress('one', source('one')).toString()).toBe('one')
  expect(decompress('one', source('one')).toString()).toBe('one')
})
