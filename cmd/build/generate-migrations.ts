/**
 * Compiles internal/store/migrations/NNNN-name.sql into migrations.gen.ts, so that the binary reads no file. With `--check`
 * it exits 1 if the compiled file is stale. A released migration never changes, because databases store its checksum
 * (comments do not count). From 0041 on, each declares whether older code may keep running after it (migration-kind.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expansionFaults, readMigrationKind, UNDECLARED } from './migration-kind.ts'
import { splitStatements } from './split-statements.ts'
import { writeGenerated } from './write-generated.ts'

const store = resolve(import.meta.dirname, '../../internal/store')

const NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

const readMigration = (file: string, index: number) => {
  const [, number, name] = NAME.exec(file) ?? []
  if (Number(number) !== index + 1) {
    throw new Error(
      `${file}: migrations are named NNNN-name.sql and numbered from 0001 without gaps.`,
    )
  }
  const script = readFileSync(join(store, 'migrations', file), 'utf8')
  return { version: index + 1, name, script, statements: splitStatements(script) }
}

type ReadMigration = ReturnType<typeof readMigration>

/** The schema of the oldest code that may keep running after this migration. @param before the same for the previous migration */
const findOldestCode = (migration: ReadMigration, before: number): number => {
  const { version, script, statements } = migration
  const declared = readMigrationKind(version, script)
  if (declared.kind === 'contraction') return Math.max(declared.serves, before)
  const faults = expansionFaults(statements)
  if (faults.length === 0) return before
  throw new Error(`Migration ${version} must be a contraction. ${faults.join('. ')}`)
}

const withOldestCode = (migrations: readonly ReadMigration[]) => {
  let oldestCode = UNDECLARED
  return migrations.map((migration) => {
    const { version, name, statements } = migration
    if (version <= UNDECLARED) return { version, name, statements }
    oldestCode = findOldestCode(migration, oldestCode)
    return { version, name, oldestCode, statements }
  })
}

const migrations = withOldestCode(
  readdirSync(join(store, 'migrations'))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map(readMigration),
)

const source = `// Made by \`make generate\` from internal/store/migrations. Do not edit.
export const MIGRATIONS: readonly Readonly<{
  version: number
  name: string
  oldestCode?: number
  statements: readonly string[]
}>[] = ${JSON.stringify(migrations, null, 2)}
`

writeGenerated(join(store, 'migrations.gen.ts'), source)
