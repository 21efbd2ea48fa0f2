/**
 * Compiles internal/store/migrations/NNNN-name.sql into migrations.gen.ts, so that the binary reads no file. With
 * `--check` it exits 1 when the compiled file is stale. A released migration never changes, because databases store its
 * checksum (comments do not count).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
  return { version: index + 1, name, statements: splitStatements(script) }
}

const migrations = readdirSync(join(store, 'migrations'))
  .filter((file) => file.endsWith('.sql'))
  .sort()
  .map(readMigration)

const source = `// Made by \`make generate\` from internal/store/migrations. Do not edit.
export const MIGRATIONS: readonly Readonly<{
  version: number
  name: string
  statements: readonly string[]
}>[] = ${JSON.stringify(migrations, null, 2)}
`

writeGenerated(join(store, 'migrations.gen.ts'), source)
