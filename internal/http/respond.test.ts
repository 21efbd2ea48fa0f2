import { expect, test } from 'vitest'
import { JsonText } from '#core/json/text.ts'
import { countTurns } from '../../test/support/count-turns.ts'
import { toResponse } from './respond.ts'

test('a large answer is encoded in parts, between which other work runs, and states its length', async () => {
  // pairs of surrogates where parts end
  const text = JSON.stringify(`a${'😀'.repeat(1_000_000)}`)
  const response = toResponse({ status: 200, body: new JsonText(text) }, 'id')
  expect(response.headers.get('content-length')).toBe(String(4_000_003))
  const { result, turns } = await countTurns(() => response.text())
  expect(result === text).toBe(true)
  expect(turns).toBeGreaterThanOrEqual(8)
})
