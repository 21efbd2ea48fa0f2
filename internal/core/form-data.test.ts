import { expect, test } from 'vitest'
import { readFormData } from './form-data.ts'

const PART = '--b1\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
const encode = (text: string) => new TextEncoder().encode(text)

test.each(['multipart/form-data; boundary=b1', 'multipart/form-data; charset=x; boundary="b1"'])(
  'a form of %s is read',
  async (type) => {
    const form = await readFormData(encode(`${PART}--b1--\r\n`), type)
    expect([...form]).toEqual([['a', '1']])
  },
)

test.each([
  ['multipart/form-data; boundary=b1', PART],
  ['multipart/form-data; boundary=b1', `${PART}--b1-`],
  ['multipart/form-data; boundary=b2', `${PART}--b1--\r\n`],
  ['multipart/form-data', `${PART}--b1--\r\n`],
  ['multipart/form-data; boundary=b1', ''],
])('a form of %s without its end is refused: %j', async (type, text) => {
  await expect(readFormData(encode(text), type)).rejects.toThrow(/no (?:end|boundary)/)
})
