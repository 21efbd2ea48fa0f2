/** The database refuses the write of a push: git shows the reason and the remedy, and the same push succeeds later. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, DatabaseError, type DatabaseErrorKind } from '#store/database.ts'
import { oneActionApp } from '../support/app-files.ts'
import { openRepositoryFolder } from '../support/git-repository.ts'
import { openPushServer, type PushServer, runGit } from '../support/push-server.ts'

const repositories = openRepositoryFolder()
let server: PushServer
let wanted: DatabaseErrorKind | null = null
let fault: DatabaseErrorKind | null = null

/** Whether the database is lost once a push has deleted an app. */
let isLostAfter = false

const refusing = (db: Database): Database => ({
  ...db,
  write: async (batch, options) => {
    if (fault === null) {
      const written = await db.write(batch, options)
      const isDeletion = isLostAfter && JSON.stringify(batch).includes('DELETE FROM apps')
      if (isDeletion) fault = 'io'
      return written
    }
    throw new DatabaseError('Refused by the test.', { kind: fault, outcome: 'none' })
  },
})

beforeAll(async () => {
  server = await openPushServer(1_048_576, {
    wrapDatabase: refusing,
    onAdmitted: async ({ isAdvertisement }) => {
      fault = isAdvertisement ? null : wanted
    },
  })
})
afterAll(async () => {
  await server.close()
  repositories.remove()
})

const LOGGED = ['A pushed deployment failed.']

it.each([
  ['full', 'The disk of the database is full. Free some space', LOGGED],
  ['io', 'The disk of the database fails to read or write. Check that it works', LOGGED],
  ['read_only', 'The database cannot be written to: its disk is read-only', LOGGED],
  ['too_large', 'A value is larger than the database takes as one value', []],
  ['moving', 'The workspace is being moved to another database. Try again', []],
  ['other', 'internal error. The log of the server has the cause.', LOGGED],
] as const)('%s: %s', async (kind, sentence, logged) => {
  const key = kind.replace('_', '-')
  const { path, commit } = repositories.create(key)
  commit(oneActionApp(key))
  wanted = kind
  const refused = await runGit(path, 'push', server.remote(key), 'main')
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(`Refused: ${sentence}`) })
  expect(refused.text).not.toContain('stopped before')
  expect(server.takeErrors()).toEqual(logged)
  expect(await server.commitOf(key)).toBeUndefined()
  wanted = null
  expect(await runGit(path, 'push', server.remote(key), 'main')).toMatchObject({ code: 0 })
})

it('a push is accepted although the database is lost before all schedules of a preview are deleted', async () => {
  const { path, git, commit } = repositories.create('lost')
  commit(oneActionApp('lost'))
  wanted = null
  git('branch', 'idea')
  const push = (...refs: readonly string[]) => runGit(path, 'push', server.remote('lost'), ...refs)
  expect(await push('main', 'idea')).toMatchObject({ code: 0 })
  isLostAfter = true
  const removed = await push(':idea')
  isLostAfter = false
  expect(removed).toMatchObject({
    code: 0,
    text: expect.stringContaining('Removed the preview lost--idea.'),
  })
  expect(server.takeErrors()).toEqual([])
})
