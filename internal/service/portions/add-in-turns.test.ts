import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFileCollector } from '#bundle/app-files.ts'
import { readFiles } from '../git-sources/sync-git-source.ts'
import { addInTurns } from './add-in-turns.ts'

test('the files of a commit are collected with turns for other work', async () => {
  const listed = Array.from({ length: 5_000 }, (_, at) => ({
    path: `node_modules/package/${at}.js`,
    oid: 'a',
    size: 1,
  }))
  const snapshot = {
    commit: 'a',
    list: async () => listed,
    read: async () => listed.map(() => new Uint8Array(1)),
    dispose: () => undefined,
  }
  let turns = 0
  let isDone = false
  const other = async (): Promise<void> => {
    while (!isDone) {
      await setImmediate()
      turns += 1
    }
  }
  const ended = other()
  const files = await readFiles(snapshot, listed, '')
  isDone = true
  await ended
  expect([...files.keys()]).toEqual(listed.map(({ path }) => path))
  expect(turns).toBeGreaterThan(5)
})

test('a file that the app may not have is refused', async () => {
  const files = [['../up.ts', new Uint8Array(0)]] as const
  await expect(addInTurns(createFileCollector(), files)).rejects.toThrow('plain path')
})
