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

test('a long line without a value is read at once', () => {
  const start = performance.now()
  expect(parseNpmrc(`a${' '.repeat(500_000)}b`).size).toBe(0)
  expect(performance.now() - start).toBeLessThan(2_000)
})
