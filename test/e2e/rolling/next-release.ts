/**
 * A release that does not exist yet: a copy of the source with one more migration, an expansion, and one more field of
 * flows. It represents any next release, so that the current release can be tested next to it.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { MIGRATIONS } from '#store/migrations.gen.ts'
import { expansionFaults } from '../../../cmd/build/migration-kind.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Additions to the tables that the current code uses most. */
export const STATEMENTS: readonly string[] = [
  "ALTER TABLE jobs ADD COLUMN later TEXT NOT NULL DEFAULT 'plain' CHECK (later IN ('plain', 'new'))",
  'ALTER TABLE flow_runs ADD COLUMN later INTEGER',
  'ALTER TABLE flow_steps ADD COLUMN later TEXT',
  'ALTER TABLE schedules ADD COLUMN later TEXT',
  'ALTER TABLE nodes ADD COLUMN later TEXT',
  'CREATE TABLE later_jobs (job_id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  "CREATE INDEX jobs_later ON jobs (ws, later) WHERE later <> 'plain'",
  `CREATE TRIGGER later_jobs_of AFTER INSERT ON jobs BEGIN
  INSERT INTO later_jobs (job_id, at) VALUES (NEW.id, 0) ON CONFLICT DO NOTHING;
END`,
]

export type Release = Readonly<{
  /** The command that starts its nodes. */
  program: readonly string[]
  schema: number
  remove: () => void
}>

/** Replaces a text in a file of the copied source. @throws {Error} the file does not contain it */
const replace = (path: string, before: string, after: string): void => {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(before)) throw new Error(`${path} does not hold: ${before}`)
  writeFileSync(path, text.replace(before, after))
}

/** Creates the next release. @throws {Error} the source has another form than this file expects */
export const makeNextRelease = (): Release => {
  const [fault] = expansionFaults(STATEMENTS)
  if (fault !== undefined) throw new Error(fault)
  const folder = mkdtempSync(join(tmpdir(), 'svc-next-'))
  for (const part of ['internal', 'cmd', 'sdk', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  }
  for (const part of ['node_modules', 'dist', 'web', 'docs', 'examples', 'test']) {
    symlinkSync(join(ROOT, part), join(folder, part))
  }
  const last = MIGRATIONS.at(-1)
  const schema = (last?.version ?? 0) + 1
  const next = {
    version: schema,
    name: 'later',
    oldestCode: last?.oldestCode,
    statements: STATEMENTS,
  }
  const list = join(folder, 'internal', 'store', 'migrations.gen.ts')
  replace(list, '}>[] = [', '}>[] = [...[')
  writeFileSync(list, `${readFileSync(list, 'utf8').trimEnd()}, ${JSON.stringify(next)}]\n`)
  const flow = join(folder, 'internal', 'core', 'flow', 'definition.ts')
  replace(
    flow,
    '  expose: flowExpose.optional(),',
    '  expose: flowExpose.optional(),\n  later: yesOrNo.optional(),',
  )
  return {
    program: [process.execPath, join(folder, 'cmd', 'svc', 'main.ts')],
    schema,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
