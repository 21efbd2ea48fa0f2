/** Opens a database and starts the Deno runtime, to prove that a build contains all its parts. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDeno } from '#platform/deno.ts'
import { migrate } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'

const tryDatabase = async (folder: string): Promise<number> => {
  const db = await openDatabase({ url: `file:${join(folder, 'self-test.db')}` })
  const { to } = await migrate(db)
  await db.close()
  return to
}

const tryDeno = (): string =>
  execFileSync(findDeno(), ['eval', 'console.log(Deno.version.deno)'], {
    encoding: 'utf8',
    env: { NO_COLOR: '1' },
  }).trim()

/** Tests the parts, and removes its files. @returns the schema version of a new database, and the version of Deno */
export const testParts = async (): Promise<Readonly<{ schema: number; deno: string }>> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-self-test-'))
  try {
    return { schema: await tryDatabase(folder), deno: tryDeno() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
