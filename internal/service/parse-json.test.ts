import { expect, it } from 'vitest'
import { countTurns } from '../../test/support/count-turns.ts'
import { parseJson } from './parse-json.ts'

it('lets other work run while it parses a long text', async () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `row ${id}` }))
  const text = JSON.stringify({ rows })
  const { result, turns } = await countTurns(() => parseJson(text))
  expect(result).toEqual({ rows })
  expect(turns).toBeGreaterThanOrEqual(text.length / 200_000)
})
