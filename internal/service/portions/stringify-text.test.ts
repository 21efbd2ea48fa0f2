import { expect, it } from 'vitest'
import { countTurns } from '../../../test/support/count-turns.ts'
import { createPace } from './pace.ts'
import { stringifyText } from './stringify-text.ts'

const write = (text: string) => stringifyText(text, createPace())

it.each([
  ['a short text', 'a"\n'],
  ['an empty text', ''],
  ['pairs of surrogates where parts end', `a${'😀'.repeat(600_000)}`],
  ['lone surrogates', `${'\ud83d'.repeat(524_289)}\udc00`],
])('writes %s as JSON.stringify does', async (_, text) => {
  expect((await write(text)) === JSON.stringify(text)).toBe(true)
})

it('lets other work run while it writes a long text', async () => {
  const { turns } = await countTurns(() => write('\n'.repeat(3_000_000)))
  expect(turns).toBeGreaterThanOrEqual(5)
})
