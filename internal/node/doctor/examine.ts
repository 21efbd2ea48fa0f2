/** The checks of `svc doctor`, in the order of its report. */
import { type Config, configOfCell, databaseUrlOf } from '#config/config.ts'
import type { Database } from '#store/database.ts'
import { toDatabasePath } from '#store/open-database.ts'
import { broken, type CheckResult, reasonOf } from './check.ts'
import { checkDataDir } from './check-data-dir.ts'
import {
  checkClock,
  checkDamage,
  checkDatabase,
  checkDurability,
  checkKey,
  findUnnamedCells,
  openExisting,
} from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkGit } from './check-git.ts'
import { checkSandbox } from './check-sandbox.ts'

export type NamedCheck = CheckResult & Readonly<{ name: string }>

/** If the database is broken, the checks that read it are replaced by one line that reports this. */
const examineDatabase = async (config: Config): Promise<readonly NamedCheck[]> => {
  let db: Database | null = null
  const database = await checkDatabase(config, async () => {
    db = await openExisting(config)
    return db
  })
  const path = toDatabasePath(databaseUrlOf(config))
  const named: NamedCheck[] = path === null ? [] : [{ name: 'disk', ...checkDisk(path) }]
  named.push({ name: 'database', ...database })
  if (database.ok) {
    const skipped = (error: unknown): CheckResult =>
      broken(reasonOf(error), 'Repair the database first.')
    named.push({ name: 'key', ...(await checkKey(config, db).catch(skipped)) })
    named.push({ name: 'clock', ...(await checkClock(db).catch(skipped)) })
    named.push({ name: 'durability', ...(await checkDurability(db).catch(skipped)) })
    const cells = await findUnnamedCells(config, db).catch(skipped)
    if (cells !== null) named.push({ name: 'cells', ...cells })
    named.push({ name: 'damage', ...(await checkDamage(config, db).catch(skipped)) })
  }
  await closeQuietly(db)
  return named
}

const closeQuietly = async (db: Database | null): Promise<void> => {
  if (db !== null) await db.close()
}

/** Checks each further database in the same way, under the name of its cell. */
const examineCells = async (config: Config): Promise<readonly NamedCheck[]> => {
  const checks: NamedCheck[] = []
  for (const { name: cell } of config.cells) {
    for (const check of await examineDatabase(configOfCell(config, cell))) {
      checks.push({ ...check, name: `${check.name} of cell ${cell}` })
    }
  }
  return checks
}

/** Runs all checks. They change nothing but the unpacked runtime in the cache folder. */
export const examine = async (config: Config): Promise<readonly NamedCheck[]> => [
  { name: 'data directory', ...checkDataDir(config.dataDir) },
  ...(await examineDatabase(config)),
  ...(await examineCells(config)),
  { name: 'isolation', ...(await checkSandbox(config)) },
  { name: 'git', ...checkGit() },
]
