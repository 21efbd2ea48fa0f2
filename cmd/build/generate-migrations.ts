/**
 * Compiles internal/store/migrations/*.sql into migrations.gen.ts, so that the binary reads no file. `--check` fails
 * when the compiled file is stale.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeGenerated } from './write-generated.ts'

const store = resolve(import.meta.dirname, '../../internal/store')

/** Splits at semicolons that end a statement; a trigger's body, BEGIN … END, stays whole. */
export const splitStatements = (text: string): readonly string[] => {
  const statements: string[] = []
  let current = ''
  let depth = 0
  for (const line of text.split('\n')) {
    const code = line.replace(/--.*$/, '').trimEnd()
    if (code.trim() === '') continue
    current += `${code}\n`
    if (/^BEGIN\b/i.test(code)) depth += 1
    if (depth > 0 && /^END;$/i.test(code)) depth -= 1
    if (depth === 0 && code.endsWith(';')) {
      statements.push(current.trim().replace(/;$/, ''))
      current = ''
    }
  }
  if (current.trim() !== '') throw new Error(`A migration ends within a statement: ${current}`)
  return statements
}

const migrations = readdirSync(join(store, 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => ({
    version: Number(name.slice(0, 4)),
    name: name.slice(5, -4),
    statements: splitStatements(readFileSync(join(store, 'migrations', name), 'utf8')),
  }))

const source = `// Made by \`make generate\` from internal/store/migrations. Do not edit.
export const MIGRATIONS: readonly Readonly<{
  version: number
  name: string
  statements: readonly string[]
}>[] = ${JSON.stringify(migrations, null, 2)}
`

writeGenerated(join(store, 'migrations.gen.ts'), source)
