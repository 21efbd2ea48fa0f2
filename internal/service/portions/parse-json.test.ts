import { expect, it } from 'vitest'
import { jsonOf } from '#core/json/kept-text.ts'
import { countTurns } from '../../../test/support/count-turns.ts'
import { parseJson } from './parse-json.ts'

it('lets other work run while it parses a long text', async () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `row ${id}` }))
  const text = JSON.stringify({ rows })
  const { result, turns } = await countTurns(() => parseJson(text))
  expect(result).toEqual({ rows })
  expect(turns).toBeGreaterThanOrEqual(text.length / 200_000)
})

it('writes a long value as the text that it was parsed from, and nothing else', async () => {
  const text = `[ ${'0, '.repeat(50_000)}0 ]`
  const value = await parseJson(text)
  expect(jsonOf(value)).toBe(text)
  expect(jsonOf({ value })).toBe(`{"value":[${'0,'.repeat(50_000)}0]}`)
  expect(jsonOf(await parseJson('[ 1 ]'))).toBe('[1]')
  expect([null, 'a', 1].map(jsonOf)).toEqual(['null', '"a"', '1'])
})

it('writes an indented text without its line breaks, so that it takes no more space than another', async () => {
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, list: [id] }))
  const value = await parseJson(JSON.stringify(rows, null, 2))
  expect(jsonOf(value)).toBe(JSON.stringify(rows))
})
