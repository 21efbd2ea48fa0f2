/**
 * `svc doctor`: looks at what svc needs here and says how to mend what is broken. It changes nothing but the unpacked
 * runtime in the cache folder. Exit code 1 when something is broken.
 */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { type Config, loadConfig } from '#config/config.ts'
import { broken, type CheckResult, reasonOf } from '#node/doctor/check.ts'
import { checkDataDir } from '#node/doctor/check-data-dir.ts'
import {
  checkClock,
  checkDamage,
  checkDatabase,
  checkDurability,
  checkKey,
  openExisting,
} from '#node/doctor/check-database.ts'
import { checkGit } from '#node/doctor/check-git.ts'
import { checkSandbox } from '#node/doctor/check-sandbox.ts'
import type { Database } from '#store/database.ts'
import { EXIT } from '../exit.ts'

type NamedCheck = CheckResult & Readonly<{ name: string }>

/** Checks that read the database are skipped while it is broken; one line reports this. */
const examineDatabase = async (config: Config): Promise<readonly NamedCheck[]> => {
  let db: Database | null = null
  const database = await checkDatabase(config, async () => {
    db = await openExisting(config)
    return db
  })
  const named: NamedCheck[] = [{ name: 'database', ...database }]
  if (database.ok) {
    const skipped = (error: unknown): CheckResult =>
      broken(reasonOf(error), 'Mend the database first.')
    named.push({ name: 'key', ...(await checkKey(config, db).catch(skipped)) })
    named.push({ name: 'clock', ...(await checkClock(db).catch(skipped)) })
    named.push({ name: 'durability', ...(await checkDurability(db).catch(skipped)) })
    named.push({ name: 'damage', ...(await checkDamage(config, db).catch(skipped)) })
  }
  await closeQuietly(db)
  return named
}

const closeQuietly = async (db: Database | null): Promise<void> => {
  if (db !== null) await db.close()
}

const examine = async (config: Config): Promise<readonly NamedCheck[]> => [
  { name: 'data directory', ...checkDataDir(config.dataDir) },
  ...(await examineDatabase(config)),
  { name: 'isolation', ...(await checkSandbox(config)) },
  { name: 'git', ...checkGit() },
]

const toText = (checks: readonly NamedCheck[]): string => {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const indent = ' '.repeat(width + 4)
  const lines = checks.flatMap(({ name, ok, found, mend, notes = [] }) => [
    `${ok ? '✓' : '✗'} ${name.padEnd(width)}  ${found}`,
    ...notes.map((note) => `${indent}${note}`),
    ...(mend === undefined ? [] : [`${indent}To mend it: ${mend}`]),
  ])
  return `${lines.join('\n')}\n`
}

export const doctorCommand: CommandModule = {
  command: 'doctor',
  describe: 'Check what svc needs here, and say how to mend it',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, description: 'Print JSON' })
      .example('$0 doctor --database-url http://db:8080', 'As a node with this flag would find it'),
  handler: async (flags) => {
    const { config, warnings } = loadConfig({ flags })
    for (const warning of warnings) process.stderr.write(`${warning}\n`)
    const checks = await examine(config)
    const ok = checks.every((check) => check.ok)
    process.stdout.write(
      flags.json === true ? `${JSON.stringify({ ok, checks }, null, 2)}\n` : toText(checks),
    )
    if (!ok) process.exitCode = EXIT.failed
  },
}
