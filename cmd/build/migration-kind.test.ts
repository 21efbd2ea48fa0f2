import { expect, test } from 'vitest'
import { expansionFaults, readMigrationKind } from './migration-kind.ts'

test('a migration declares its kind in its first line', () => {
  expect(readMigrationKind(44, '-- expansion\nSELECT 1;')).toEqual({ kind: 'expansion' })
  expect(readMigrationKind(44, '-- contraction, serves 43\nSELECT 1;')).toEqual({
    kind: 'contraction',
    serves: 43,
  })
})

test.each([
  '',
  'SELECT 1;',
  '-- contraction\n',
  '-- contraction, serves 45\n',
  '-- contraction, serves 39\n',
])('a migration without a declaration that can be is refused: %j', (script) => {
  expect(() => readMigrationKind(44, script)).toThrow('Migration 44 must begin with the line')
})

test.each([
  'ALTER TABLE jobs ADD COLUMN note TEXT',
  "ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'plain' CHECK (kind IN ('plain', 'new'))",
  'CREATE TABLE later (id TEXT PRIMARY KEY) STRICT',
  'CREATE INDEX jobs_by_note ON jobs (note) WHERE note IS NOT NULL',
  'CREATE TRIGGER count_notes AFTER INSERT ON jobs BEGIN INSERT INTO later (id) VALUES (NEW.id) ON CONFLICT DO NOTHING; END',
  'CREATE TRIGGER forget AFTER DELETE ON jobs BEGIN DELETE FROM later WHERE id = OLD.id; END',
])('adds what older code does not notice: %s', (statement) => {
  expect(expansionFaults([statement])).toEqual([])
})

test('an expansion may fill what it has made', () => {
  const statements = [
    'CREATE TABLE later (id TEXT PRIMARY KEY)',
    'CREATE UNIQUE INDEX later_by_id ON later (id)',
    'INSERT INTO later (id) SELECT id FROM jobs',
    'ALTER TABLE jobs ADD COLUMN note TEXT',
    "UPDATE jobs SET note = 'old' WHERE note IS NULL",
  ]
  expect(expansionFaults(statements)).toEqual([])
})

test.each([
  ['ALTER TABLE jobs ADD COLUMN note TEXT NOT NULL', 'needs a DEFAULT'],
  ['ALTER TABLE jobs RENAME TO work', 'not additive'],
  ['ALTER TABLE jobs RENAME COLUMN tag TO label', 'not additive'],
  ['ALTER TABLE jobs DROP COLUMN tag', 'not additive'],
  ['DROP TABLE jobs', 'not additive'],
  ['DROP INDEX jobs_ready', 'not additive'],
  ['DROP TRIGGER jobs_unblock', 'not additive'],
  ['DELETE FROM jobs', 'not additive'],
  ["INSERT INTO meta (key, value) VALUES ('a', 'b')", 'not additive'],
  ["UPDATE jobs SET tag = 'x'", 'changes rows'],
  ['CREATE UNIQUE INDEX jobs_once ON jobs (tag)', 'UNIQUE'],
  [
    "CREATE TRIGGER strict BEFORE INSERT ON jobs BEGIN SELECT RAISE(ABORT, 'no note') WHERE NEW.note IS NULL; END",
    'refuses writes',
  ],
  [
    'CREATE TRIGGER copy AFTER INSERT ON jobs BEGIN INSERT INTO later (id) VALUES (NEW.tag); END',
    'no ON CONFLICT',
  ],
])('is not an expansion: %s', (statement, why) => {
  expect(expansionFaults([statement])).toEqual([expect.stringContaining(why)])
})
