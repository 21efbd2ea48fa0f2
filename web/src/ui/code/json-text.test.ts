import { expect, test } from 'vitest'
import { jsonText } from './json-text.ts'

test('a string is shown as JSON, without characters that change the order of what is shown', () => {
  expect(jsonText('a "b"\n')).toBe(String.raw`"a \"b\"\n"`)
  expect(jsonText('مرحبا')).toBe('"مرحبا"')
  const hidden = 'invoice\u202efdp.exe\u2066\u200f\u061c'
  expect(jsonText(hidden)).toBe(String.raw`"invoice\u202efdp.exe\u2066\u200f\u061c"`)
  expect(JSON.parse(jsonText(hidden))).toBe(hidden)
})
