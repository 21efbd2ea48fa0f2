import { expect, test } from 'vitest'
import { readFormData } from '#core/form-data.ts'
import { countTurns } from '../../test/support/count-turns.ts'
import { readFormPieces } from './form-pieces.ts'

const PART = '--b1\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
const encode = (text: string) => new TextEncoder().encode(text)

test('a form that is read in pieces has the parts of the whole form, in order', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const names = Array.from({ length: 450 }, (_, at) => `${at}`)
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
  const read: unknown[][] = []
  for await (const piece of readFormPieces(form, type, 450)) read.push(await contents(piece))
  expect(read.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(read.flat()).toEqual(whole)
})

test('a form with a broken part is refused in pieces too', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const read = async (text: string) => {
    for await (const _ of readFormPieces(encode(text), type, 300));
  }
  await expect(read(PART)).rejects.toThrow('The form has no end.')
  await expect(read(`${PART.repeat(250)}--b1\r\nbroken\r\n--b1--\r\n`)).rejects.toThrow(TypeError)
})

test('a form with too many parts is refused before they are read', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const read = async (maxParts: number) => {
    let parts = 0
    for await (const piece of readFormPieces(form, type, maxParts)) parts += [...piece].length
    return parts
  }
  const form = encode(`${PART.repeat(1_000)}--b1--\r\n`)
  const { result, turns } = await countTurns(() => read(1_000))
  expect(result).toBe(1_000)
  expect(turns).toBeGreaterThanOrEqual(4)
  await expect(read(999)).rejects.toThrow('The form has more than 999 parts.')
})
