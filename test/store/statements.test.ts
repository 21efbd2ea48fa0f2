/**
 * Finds statements that a new column would break. A newer svc may add a
 * column while this one runs (docs/checklists/new-migration.md).
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '#store/migrations.gen.ts'

const STORE = resolve(import.meta.dirname, '../../internal/store')

/** An INSERT without a list of columns after its table. */
const WITHOUT_COLUMNS =
  /\bINSERT\s+(?:OR\s+\w+\s+)?INTO\s+[\w"]+\s+(?:AS\s+\w+\s+)?(?:VALUES|SELECT|DEFAULT)\b/gi
/** Matches `SELECT *` in a compound SELECT, whose sides must have the same columns. */
const STAR_IN_UNION = /SELECT\s+\*[^;`]*\bUNION\b/gi

const faultsIn = (text: string): readonly string[] => [
  ...(text.match(WITHOUT_COLUMNS) ?? []),
  ...(text.match(STAR_IN_UNION) ?? []),
]

test('the check sees a statement without columns', () => {
  expect(faultsIn('INSERT INTO jobs VALUES (1)')).toHaveLength(1)
  expect(faultsIn('INSERT OR IGNORE INTO jobs SELECT 1')).toHaveLength(1)
  expect(faultsIn('INSERT INTO jobs (id) VALUES (1)')).toEqual([])
})

test('every INSERT of the store names its columns', () => {
  const files = globSync('**/*.ts', { cwd: STORE }).filter(
    (file) => !/\.(?:test|gen)\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(50)
  const faults = files.flatMap((file) => faultsIn(readFileSync(join(STORE, file), 'utf8')))
  expect(faults).toEqual([])
})

test('every trigger names the columns that it writes', () => {
  const triggers = MIGRATIONS.flatMap(({ statements }) => statements).filter((statement) =>
    /^\s*CREATE\s+TRIGGER/i.test(statement),
  )
  expect(triggers.length).toBeGreaterThan(10)
  expect(triggers.flatMap(faultsIn)).toEqual([])
})
