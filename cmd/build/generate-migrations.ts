/**
 * Compiles internal/store/migrations/NNNN-name.sql into migrations.gen.ts, so that the binary reads no file. With
 * `--check` it exits 1 when the compiled file is stale. A migration that has been released never changes: databases
 * remember its checksum (comments do not count).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { splitStatements } from './split-statements.ts'
import { writeGenerated } from './write-generated.ts'

const store = resolve(import.meta.dirname, '../../internal/store')

const NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

/** Numbers may have gaps: branches that are written at the same time take numbers apart from each other. */
const readMigration = (file: string) => {
  const [, number, name] = NAME.exec(file) ?? []
  if (number === undefined) {
    throw new Error(`${file}: migrations are named NNNN-name.sql.`)
  }
  const script = readFileSync(join(store, 'migrations', file), 'utf8')
  return { version: Number(number), name, statements: splitStatements(script) }
}

const migrations = readdirSync(join(store, 'migrations'))
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map(readMigration)

const [twice] = migrations.filter(({ version }, at) => version === migrations[at + 1]?.version)
if (twice !== undefined) throw new Error(`Two migrations have the number ${twice.version}.`)

const source = `// Made by \`make generate\` from internal/store/migrations. Do not edit.
export const MIGRATIONS: readonly Readonly<{
  version: number
  name: string
  statements: readonly string[]
}>[] = ${JSON.stringify(migrations, null, 2)}
`

writeGenerated(join(store, 'migrations.gen.ts'), source)
