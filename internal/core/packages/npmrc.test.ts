import { expect, test } from 'vitest'
import { parseNpmrc } from './npmrc.ts'

test('a setting has a key and a value; comments and lines without a key are ignored', () => {
  const text = [
    '; @a:registry = https://comment.example/',
    '  # @b:registry=https://comment.example/',
    '@Acme:registry = "https://npm.example.com/x" ',
    `//npm.example.com/x/:_authToken=$\{TOKEN}`,
    'a # b = c',
    '= value',
    'no value',
  ].join('\r\n')
  expect([...parseNpmrc(text)]).toEqual([
    ['@acme', { url: 'https://npm.example.com/x/', tokenVariable: 'TOKEN' }],
  ])
})

test('a long file is refused, because each registry is compared with each token', () => {
  const lines = Array.from({ length: 400 }, (_, at) => `@a${at}:registry=https://example.com/\n`)
  expect(parseNpmrc(lines.join('')).size).toBe(400)
  expect(() => parseNpmrc(lines.join('').repeat(2))).toThrow(
    '.npmrc has more than 16384 characters.',
  )
})
