/**
 * A sqld with a migrated database. Over sqld the migrations cost a second of computing, so the first one in a process is kept
 * as files, and the others are copies of it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { migrate } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { makeMemoryFolder } from './memory-folder.ts'
import { type Sqld, startSqld } from './sqld.ts'

const makeTemplate = async (): Promise<string> => {
  // a process that is killed leaves it, so it must not stay in memory
  const directory = mkdtempSync(join(tmpdir(), 'svc-sqld-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const sqld = await startSqld({ directory })
  const db = await openDatabase({ url: sqld.httpUrl })
  await migrate(db)
  await db.close()
  // what was acknowledged is in its files
  await sqld.kill()
  return directory
}

let template: Promise<string> | undefined

/** Makes a data directory of a sqld whose database is migrated. The sqld that is started there deletes it. */
export const makeMigratedDirectory = async (): Promise<string> => {
  template ??= makeTemplate()
  const directory = makeMemoryFolder('svc-sqld-')
  await cp(await template, directory, { recursive: true })
  return directory
}

export const startMigratedSqld = async (): Promise<Sqld> =>
  startSqld({ directory: await makeMigratedDirectory() })
