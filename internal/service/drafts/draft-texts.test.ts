/** Texts of drafts that are too large for one value. */
import { expect, test } from 'vitest'
import { sql } from '#store/sql.ts'
import { WS } from '../../../test/support/open-queue.ts'
import { ADMIN, actorFor, workspaceForFile } from '../../../test/support/test-workspace.ts'
import type { TextFiles } from './draft-texts.ts'
import { deleteDraft, requireDraft, saveDraft } from './manage-draft.ts'

const place = await workspaceForFile()

type Match = Parameters<typeof saveDraft>[1]['match']

const actOn = (app: string, match: Match = null) => ({ ws: WS, app, actor: actorFor(ADMIN), match })
const save = (app: string, files: TextFiles, deps = place.deps, match: Match = null) =>
  saveDraft(deps, actOn(app, match), files)
const filesOf = async (app: string) => (await requireDraft(place.deps, WS, app)).files
const partsOf = (app: string) =>
  place.db.all(
    sql`SELECT rowid, length(content) AS size FROM draft_parts WHERE app = ${app} ORDER BY rowid`,
  )
const large = (letter: string) => letter.repeat(100_000)

test('a large draft is stored in parts and read as it was saved', async () => {
  const files: TextFiles = [
    ['__proto__', `a${'😀'.repeat(100_000)}`],
    ['lone.txt', `${'\ud83d'.repeat(131_073)}\udc00`],
    ['escaped.txt', '"\u0000\n'.repeat(1_000)],
    ['empty.txt', ''],
  ]
  await save('exact', files)
  expect(await filesOf('exact')).toEqual(files)
  // a part of 131,072 code units, of which each may be written as six
  expect((await partsOf('exact')).every(({ size }) => Number(size) <= 6 * 131_073)).toBe(true)
  const stored = await place.db.one(sql`SELECT length(files) AS n FROM drafts WHERE app = 'exact'`)
  expect(stored?.n).toBeLessThan(1_000)
})

test('a save writes only the parts that have changed, and deletes those that no file has any more', async () => {
  const first: TextFiles = [...'abcd'].map((letter) => [letter, large(letter)])
  await save('changed', first)
  const before = await partsOf('changed')
  expect(before).toHaveLength(4)
  const next: TextFiles = [...first.slice(0, 3), ['e', large('e')], ['f', large('a')]]
  await save('changed', next)
  const after = await partsOf('changed')
  expect(after.slice(0, 3)).toEqual(before.slice(0, 3))
  expect(after).toHaveLength(4)
  expect(await filesOf('changed')).toEqual(next)
  await save('changed', [['a', 'small']])
  expect(await partsOf('changed')).toEqual([])
  expect(await filesOf('changed')).toEqual([['a', 'small']])
})

test('parts go with their draft, also where an older node deletes it', async () => {
  const files: TextFiles = [...'ab'].map((letter) => [letter, large(letter)])
  await save('gone', files)
  await deleteDraft(place.deps, actOn('gone'))
  expect(await partsOf('gone')).toEqual([])
  await save('gone', files)
  await place.db.write([sql`DELETE FROM drafts WHERE app = 'gone'`])
  expect(await partsOf('gone')).toEqual([])
})

test('a large draft that an older node wrote is read, and replaces the parts of a newer one', async () => {
  const files: TextFiles = [...'ab'].map((letter) => [letter, large(letter)])
  await save('older', [['x', large('x').repeat(2)]])
  await place.db.write([
    sql`UPDATE drafts SET files = ${JSON.stringify(files)} WHERE app = 'older'`,
  ])
  expect(await filesOf('older')).toEqual(files)
  await save('older', files)
  expect(await filesOf('older')).toEqual(files)
  expect(await partsOf('older')).toHaveLength(2)
})

test('of two saves at once, the one that loses its parts to the other writes them again', async () => {
  const mine: TextFiles = [...'abc'].map((letter) => [letter, large(letter)])
  const others: TextFiles = [...'xyz'].map((letter) => [letter, large(letter)])
  let writes = 0
  const { db } = place.deps
  const write: typeof db.write = async (batch, options) => {
    writes += 1
    // after the parts, before the draft
    if (writes === 2) await save('both', others)
    return db.write(batch, options)
  }
  await save('both', mine, { ...place.deps, db: { ...db, write } })
  expect(await filesOf('both')).toEqual(mine)
  expect(await partsOf('both')).toHaveLength(3)
})

test('a save that other saves overtake again and again is refused with the remedy', async () => {
  const { db } = place.deps
  let others = 0
  const write: typeof db.write = async (batch, options) => {
    // after the parts, before the draft
    if ('audit' in batch) {
      others += 1
      await save('lost', [['x', large(String(others))]])
    }
    return db.write(batch, options)
  }
  const mine: TextFiles = [...'abc'].map((letter) => [letter, large(letter)])
  await expect(save('lost', mine, { ...place.deps, db: { ...db, write } })).rejects.toMatchObject({
    kind: 'precondition_failed',
    message: expect.stringContaining('Save it again.'),
  })
})

test('a save of another version leaves no parts', async () => {
  const files: TextFiles = [...'ab'].map((letter) => [letter, large(letter)])
  await expect(save('none', files, place.deps, 'any')).rejects.toMatchObject({
    kind: 'precondition_failed',
  })
  expect(await partsOf('none')).toEqual([])
})

test('a draft that is replaced while it is read is read again', async () => {
  const next: TextFiles = [...'cd'].map((letter) => [letter, large(letter)])
  await save(
    'read',
    [...'ab'].map((letter) => [letter, large(letter)] as const),
  )
  const { db } = place
  let reads = 0
  const all: typeof db.all = async (statement) => {
    reads += 1
    if (reads === 1) await save('read', next)
    return db.all(statement)
  }
  expect((await requireDraft({ db: { ...db, all } }, WS, 'read')).files).toEqual(next)
})
