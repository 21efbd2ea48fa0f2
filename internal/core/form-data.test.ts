import { expect, test } from 'vitest'
import { readFormData, readFormPieces } from './form-data.ts'

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
  await expect(readFormData(encode(text), type)).rejects.toThrow('The form has no end.')
})

test('a form of more parts than allowed is refused before they are read', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const form = encode(`${PART.repeat(3)}--b1--\r\n`)
  expect([...(await readFormData(form, type, 3))]).toHaveLength(3)
  await expect(readFormData(form, type, 2)).rejects.toThrow('The form has more than 2 parts.')
})

test('a form that is read in pieces has the parts of the whole form, in order', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const names = ['a', 'b', 'c', 'd', 'e']
  const file = (name: string) =>
    `--b1\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.bin"\r\n\r\n\r\n--b2\r\n--b\r\n\r\n`
  const form = encode(`${names.map(file).join('')}--b1--\r\n`)
  const contents = async (parts: FormData) =>
    Promise.all(
      [...parts].map(async ([name, value]) => [
        name,
        value instanceof Blob ? await value.text() : value,
      ]),
    )
  const whole = await contents(await readFormData(form, type))
  expect(whole).toEqual(names.map((name) => [name, '\r\n--b2\r\n--b\r\n']))
  for (const [partsPerPiece, pieces] of [
    [1, 5],
    [2, 3],
    [5, 1],
    [6, 1],
  ] as const) {
    const read: unknown[][] = []
    for await (const piece of readFormPieces(form, type, partsPerPiece)) {
      read.push(await contents(piece))
    }
    expect(read).toHaveLength(pieces)
    expect(read.flat()).toEqual(whole)
  }
})

test('a form with a broken part is refused in pieces too', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const read = async (text: string) => {
    for await (const _ of readFormPieces(encode(text), type, 2));
  }
  await expect(read(PART)).rejects.toThrow('The form has no end.')
  await expect(read(`${PART.repeat(3)}--b1\r\nbroken\r\n--b1--\r\n`)).rejects.toThrow(TypeError)
})
