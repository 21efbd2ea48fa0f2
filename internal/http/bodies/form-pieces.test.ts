import { expect, test } from 'vitest'
import { readFormData } from '#core/form-data.ts'
import { countTurns } from '../../../test/support/count-turns.ts'
import { leastLongestTurnMs } from '../../../test/support/longest-turn.ts'
import { type FormEntry, readFormPieces } from './form-pieces.ts'

const PART = '--b1\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
const encode = (text: string) => new TextEncoder().encode(text)
const contents = (entries: readonly FormEntry[]) =>
  entries.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : new TextDecoder().decode(value.bytes),
  ])

test('a form that is read in pieces has the parts of the whole form, in order', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const names = Array.from({ length: 450 }, (_, at) => `${at}`)
  const file = (name: string) =>
    `--b1\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.bin"\r\n\r\n\r\n--b2\r\n--b\r\n\r\n`
  const form = encode(`${names.map(file).join('')}--b1--\r\n`)
  const whole = await Promise.all(
    [...(await readFormData(form, type))].map(async ([name, value]) => [
      name,
      value instanceof Blob ? await value.text() : value,
    ]),
  )
  expect(whole).toEqual(names.map((name) => [name, '\r\n--b2\r\n--b\r\n']))
  const read: unknown[][] = []
  for await (const piece of readFormPieces(form, type, 450)) read.push(contents(piece))
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

test('large parts are as they were sent, and do not block the event loop', async () => {
  const type = 'multipart/form-data; boundary="b1"'
  const file = `\r\n\r\n--b2\r\n${'x'.repeat(10_000_000)}\r\n`
  const text = `안녕 ${'y'.repeat(100_000)}`
  const sent = [
    ['bundle', file],
    ['message', text],
    ['more', 'z'],
  ] as const
  const part = ([name, value]: (typeof sent)[number]) =>
    `--b1\r\ncontent-disposition: form-data; name="${name}"${name === 'bundle' ? '; filename="a.tgz"' : ''}\r\n\r\n${value}\r\n`
  const form = encode(`${sent.map(part).join('')}--b1--\r\n`)
  let read: (readonly FormEntry[])[] = []
  const ms = await leastLongestTurnMs(
    async () => {
      read = []
      for await (const piece of readFormPieces(form, type, 3)) read.push(piece)
    },
    { enoughMs: 20 },
  )
  expect(contents(read.flat())).toEqual(sent)
  expect(read[0]?.[0]).toMatchObject(['bundle', { name: 'a.tgz' }])
  expect(ms).toBeLessThan(20)
})

test('a large part with a line that only begins like a delimiter is refused, like a small one', async () => {
  const type = 'multipart/form-data; boundary=b1'
  const form = `--b1\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'x'.repeat(100_000)}\r\n--b1 \r\n--b1--\r\n`
  const read = async () => {
    for await (const _ of readFormPieces(encode(form), type, 3));
  }
  await expect(readFormData(encode(form), type)).rejects.toThrow(TypeError)
  await expect(read()).rejects.toThrow(TypeError)
})

test.each([
  ['text', '\ufefftext', ''],
  ['base64', 'eHl6', 'Content-Transfer-Encoding: base64\r\n'],
])('a large part of %s is read as the runtime reads it', async (_, begin, header) => {
  const type = 'multipart/form-data; boundary=b1'
  const head = `content-disposition: form-data; name="a"\r\n${header}`
  const form = encode(`--b1\r\n${head}\r\n${begin.padEnd(100_000, 'AAAA')}\r\n--b1--\r\n`)
  const read: (readonly FormEntry[])[] = []
  for await (const piece of readFormPieces(form, type, 3)) read.push(piece)
  expect(contents(read.flat())).toEqual([...(await readFormData(form, type))])
})

test('a part whose head is long is refused', async () => {
  const head = `content-disposition: form-data; name="${'a'.repeat(17_000)}"`
  const read = async () => {
    const form = encode(`--b1\r\n${head}\r\n\r\n1\r\n--b1--\r\n`)
    for await (const _ of readFormPieces(form, 'multipart/form-data; boundary=b1', 10));
  }
  await expect(read()).rejects.toThrow(new TypeError('The form has a broken part.'))
})

test('parts with many header lines do not block the event loop', async () => {
  const lines = 'a: b\r\n'.repeat(2_700)
  const part = `--b1\r\ncontent-disposition: form-data; name="a"\r\n${lines}\r\n1\r\n`
  const form = encode(`${part.repeat(200)}--b1--\r\n`)
  let parts = 0
  const longest = await leastLongestTurnMs(async () => {
    parts = 0
    const pieces = readFormPieces(form, 'multipart/form-data; boundary=b1', 200)
    for await (const piece of pieces) parts += piece.length
  })
  expect(parts).toBe(200)
  expect(longest).toBeLessThan(50)
})
