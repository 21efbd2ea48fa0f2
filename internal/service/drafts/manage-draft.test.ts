import { expect, it } from 'vitest'
import { countTurns } from '../../../test/support/count-turns.ts'
import { filesByPath, toStoredFiles } from './manage-draft.ts'

it('lets other work run while it writes the files of a large draft', async () => {
  const files = Array.from({ length: 18 }, (_, at) => [`${at}.ts`, '\n'.repeat(550_000)] as const)
  const { result, turns } = await countTurns(() => toStoredFiles(files))
  expect(result.filesJson.length).toBeLessThan(20_000)
  expect(result).toMatchObject({ fileCount: 18, bytes: 18 * 550_000 })
  // each file takes one turn when its size is counted and another when it is written
  expect(turns).toBeGreaterThanOrEqual(36)
})

it('lets other work run while it writes the answer of a large draft', async () => {
  const files = [
    ['__proto__', '"'],
    ...Array.from({ length: 18 }, (_, at) => [`${at}.ts`, '\n'.repeat(550_000)] as const),
  ] as const
  const { result, turns } = await countTurns(() => filesByPath(files))
  expect(Object.entries(JSON.parse(result.text))).toEqual(files)
  expect(turns).toBeGreaterThanOrEqual(18)
})
