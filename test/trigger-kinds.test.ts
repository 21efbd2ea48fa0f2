/** docs/checklists/new-trigger-kind.md: which files know the kinds of triggers by name. */
import { globSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FLOW_TRIGGER_KINDS, TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import { sql } from '#store/sql.ts'
import { JOB_TRIGGERS as LISTED } from '../web/src/language/triggers.ts'
import { ROOT, readSource } from './support/repository.ts'
import { openTemporaryDatabase, type TemporaryDatabase } from './support/temporary-database.ts'

const SOURCES = globSync('{internal,cmd,sdk,web/src}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (path) => !/\.(?:test|gen)\.ts$/.test(path),
)

const CHECKLIST = 'docs/checklists/new-trigger-kind.md'

describe('a new kind of trigger touches at most five files', () => {
  /** A list of kinds, a table of them, or a decision by kind. Code that starts work may name its own kind. */
  const KNOWS = /'api'[\s,|]+'webhook'|^ {2}api: \{|trigger_?kind [!=]== '/im

  test('namely those of the checklist', () => {
    const knowing = SOURCES.filter((path) => KNOWS.test(readSource(path)))
    const listed = [...readSource(CHECKLIST).matchAll(/^\d\. .*(?:\n {3}.*)*/gm)].flatMap(
      ([item]) =>
        [...item.matchAll(/`((?:internal|web|sdk|docs)\/[^`]+\.(?:ts|md))`/g)].map(
          ([, path = '']) => path,
        ),
    )
    expect(listed.length).toBeLessThanOrEqual(5)
    expect(knowing.toSorted()).toEqual(listed.filter((path) => path.endsWith('.ts')).toSorted())
  })

  test('and the console and the SDK have the kinds of the server', () => {
    expect(LISTED).toEqual(TRIGGER_KINDS)
    const [, type = ''] =
      /type Trigger = Readonly<\{\s+kind:([\s\S]*?)\n {2}\/\*\* Webhook/.exec(
        readSource('sdk/mod.ts'),
      ) ?? []
    expect([...type.matchAll(/'(\w+)'/g)].map(([, kind]) => kind)).toEqual(TRIGGER_KINDS)
  })
})

describe('the schema', () => {
  let temporary: TemporaryDatabase
  beforeAll(async () => {
    temporary = await openTemporaryDatabase()
  })
  afterAll(() => temporary.close())

  const checkOf = async (table: string): Promise<readonly string[]> => {
    const [row] = await temporary.db.all(sql`SELECT sql FROM sqlite_schema WHERE name = ${table}`)
    const [, words = ''] = /"?trigger_kind"? IN\s*\(([^)]*)\)/.exec(String(row?.sql)) ?? []
    return words.split(',').map((word) => word.trim().slice(1, -1))
  }

  test('allows exactly the kinds of jobs and runs', async () => {
    expect(new Set(await checkOf('jobs'))).toEqual(new Set(TRIGGER_KINDS))
    expect(new Set(await checkOf('flow_runs'))).toEqual(new Set(FLOW_TRIGGER_KINDS))
  })
})
