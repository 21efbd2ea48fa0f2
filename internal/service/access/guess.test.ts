import { expect, test } from 'vitest'
import { insertTurn } from '#store/people/guesses.ts'
import { sql } from '#store/sql.ts'
import { workspaceForFile } from '../../../test/support/test-workspace.ts'
import { guessBucket, makeGuess } from './guess.ts'

const place = await workspaceForFile()

const limitOf = (name: string, most: number) => ({
  bucket: guessBucket('test', name),
  most,
})
const refused = { kind: 'rate_limited', code: 'too_many_guesses' }

test('wrong guesses are refused beyond the limit, with a time to wait', async () => {
  const limit = limitOf('wrong', 3)
  for (let count = 0; count < 3; count += 1) await makeGuess(place.deps, [limit])
  await expect(makeGuess(place.deps, [limit])).rejects.toMatchObject(refused)
  await makeGuess(place.deps, [limitOf('another bucket', 3)])
})

test('a right guess does not count', async () => {
  const limit = limitOf('right', 1)
  for (let count = 0; count < 5; count += 1) {
    const { release } = await makeGuess(place.deps, [limit])
    await place.db.write(release)
  }
})

test('guesses at once cannot pass the limit', async () => {
  const limit = limitOf('at once', 4)
  const guesses = Array.from({ length: 20 }, () => makeGuess(place.deps, [limit]))
  const ends = await Promise.allSettled(guesses)
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
})

test('a guess that one limit refuses is not counted against the others', async () => {
  const [narrow, wide] = [limitOf('narrow', 1), limitOf('wide', 2)]
  await makeGuess(place.deps, [narrow, wide])
  await expect(makeGuess(place.deps, [narrow, wide])).rejects.toMatchObject(refused)
  await makeGuess(place.deps, [wide])
  await expect(makeGuess(place.deps, [wide])).rejects.toMatchObject(refused)
})

test('guesses and turns from before the clock was set back by a day refuse none', async () => {
  const limit = limitOf('set back', 1)
  const turns = { bucket: guessBucket('test', 'turns'), everyMs: 1_000, most: 2 }
  const take = () => place.db.write([insertTurn(place.deps.newId(), turns)])
  await makeGuess(place.deps, [limit])
  await take()
  await place.db.write([sql`UPDATE guesses SET at = at + 86400000`])
  await makeGuess(place.deps, [limit])
  await expect(makeGuess(place.deps, [limit])).rejects.toMatchObject(refused)
  const taken = [...(await take()), ...(await take()), ...(await take()), ...(await take())]
  expect(taken.map(({ changes }) => changes)).toEqual([1, 1, 1, 0])
})
