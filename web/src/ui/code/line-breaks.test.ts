import { expect, test } from 'vitest'
import { fromEditor, toEditor } from './line-breaks.ts'

test.each([
  ['a\r\nb\r\n', 'a\nb\n', 'a\r\nb\r\n'],
  ['a\nb', 'a\nb', 'a\nb'],
  ['a\r\nb\n', 'a\nb\n', 'a\nb\n'],
  ['\n\r\n', '\n\n', '\n\n'],
  ['a\rb', 'a\nb', 'a\nb'],
  ['', '', ''],
])('the text %j is edited as %j and saved as %j', (text, edited, saved) => {
  expect(toEditor(text)).toBe(edited)
  expect(fromEditor(edited, text)).toBe(saved)
})
