import { expect, it } from 'vitest'
import { createDecompress } from './decompressed-files.ts'

const source = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

it('decompresses a file once while it is used', () => {
  const decompressed: string[] = []
  const decompress = createDecompress((bytes) => {
    decompressed.push(new TextDecoder().decode(bytes))
    return bytes
  })
  for (const name of ['one', 'one', 'two', 'one']) {
    expect(decompress(name, source(name)).toString()).toBe(name)
  }
  expect(decompressed).toEqual(['one', 'two'])
  for (let other = 0; other < 200; other += 1) decompress(`${other}`, source(`${other}`))
  expect(decompress('one', source('one')).toString()).toBe('one')
  expect(decompressed.filter((name) => name === 'one')).toHaveLength(2)
})
