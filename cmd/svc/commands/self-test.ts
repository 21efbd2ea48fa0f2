/** `svc __self-test`: opens a database and starts the Deno runtime, as the build's own proof that its parts are whole. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { CommandModule } from 'yargs'
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

export const selfTestCommand: CommandModule = {
  command: '__self-test',
  describe: false,
  handler: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-self-test-'))
    try {
      const report = { schema: await tryDatabase(folder), deno: tryDeno() }
      process.stdout.write(`${JSON.stringify(report)}\n`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
