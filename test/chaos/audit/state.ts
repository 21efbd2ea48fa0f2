/** The database itself, what functions stored in it, and what retention keeps and deletes. */
import type { Database } from '#store/database.ts'
import { INVARIANTS } from '#store/maintenance/invariants.ts'
import { raw, sql } from '#store/sql.ts'
import { LIMIT_OF_FLOW, LIMIT_OF_KEY } from '../app.ts'
import { type Finding, violationsOf } from './finding.ts'
import type { AuditInput } from './input.ts'

/** The invariants that hold at any moment. */
export const auditState = async (
  { ledgers, aged, mostRunning, mostRuns }: AuditInput,
  db: Database,
): Promise<readonly Finding[]> => {
  const kept = [...ledgers.functions.kept]
  const rows = await db.all(
    sql`SELECT key FROM app_state WHERE app = 'chaos' AND key GLOB 'kept-*'`,
  )
  const keys = new Set(rows.map(({ key }) => String(key)))
  const waiting = await db.all(
    sql`SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(${JSON.stringify(aged.open)}))`,
  )
  const found = new Set(waiting.map(({ id }) => String(id)))
  const jumps = await db.all(sql`SELECT by_ms, node FROM clock_jumps`)
  return [
    {
      invariant: 'I14',
      what: 'no node took a pause or a slow answer for a jump of the clock of the database, which nobody set',
      violations: jumps.map((jump) => JSON.stringify(jump)),
    },
    {
      invariant: 'I13',
      what: `${kept.length} values that a function said it keeps are there`,
      violations: violationsOf(kept, (n) => keys.has(`kept-${n}`), String),
    },
    {
      invariant: 'I12',
      what: `retention deleted none of ${aged.open.length} jobs of 40 days ago that have not ended`,
      violations: violationsOf(aged.open, (id) => found.has(id), String),
    },
    {
      invariant: 'I4',
      what: `of a concurrency key with the limit ${LIMIT_OF_KEY} never more ran at once`,
      violations: mostRunning <= LIMIT_OF_KEY ? [] : [`${mostRunning} ran`],
    },
    {
      invariant: 'I4',
      what: `of a flow with the limit ${LIMIT_OF_FLOW} never more runs were under way (at most ${mostRuns})`,
      violations: mostRuns <= LIMIT_OF_FLOW ? [] : [`${mostRuns} were under way`],
    },
  ]
}

/** The invariants that hold once everything has come to rest. */
export const auditRestingState = async (
  { aged }: AuditInput,
  db: Database,
): Promise<readonly Finding[]> => {
  const left = await db.all(
    sql`SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(${JSON.stringify(aged.ended)}))`,
  )
  return [
    {
      invariant: 'I12',
      what: `retention deleted ${aged.ended.length} jobs that ended 40 days ago`,
      violations: left.map(({ id }) => String(id)),
    },
  ]
}

const check = async (db: Database, pragma: string): Promise<readonly string[]> => {
  const rows = await db.all(sql`PRAGMA ${raw(pragma)}`)
  return rows.map((row) => JSON.stringify(row)).filter((text) => !/:"ok"/.test(text))
}

/** The checks of `svc db check`, on a database file. */
const auditRows = async (db: Database): Promise<readonly Finding[]> => {
  if (db.backend !== 'file') return []
  const findings: Finding[] = []
  for (const { id, rule, query } of INVARIANTS) {
    const rows = await db.all(sql`${raw(query)}`)
    findings.push({
      invariant: id,
      what: `svc db check: ${rule}`,
      violations: rows.map(({ found }) => String(found)),
    })
  }
  return findings
}

/** Checks pages, indexes, references and rows of the database file. */
export const auditFile = async (db: Database): Promise<readonly Finding[]> => [
  ...(await auditRows(db)),
  {
    invariant: 'I15',
    what: 'integrity_check finds the database whole',
    violations: await check(db, 'integrity_check'),
  },
  {
    invariant: 'I15',
    what: 'foreign_key_check finds no dangling reference',
    violations: await check(db, 'foreign_key_check'),
  },
]
