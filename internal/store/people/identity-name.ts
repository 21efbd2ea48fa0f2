/** The names that ids in identities have for people: `customer:<id>` is the customer's name, `schedule:<id>` its expression. */
import type { Reader, Statement } from '../database.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'

/**
 * Selects the name of an identity from the table of its kind. Null for identities that are names themselves, and for deleted
 * rows.
 * @param identity and `ws` are column names with their table
 */
export const identityName = (identity: string, ws: string): Statement => {
  const column = raw(identity)
  const of = (table: string) =>
    sql`FROM ${raw(table)} named WHERE named.ws = ${raw(ws)} AND named.id = substr(${column}, instr(${column}, ':') + 1)`
  return sql`CASE substr(${column}, 1, instr(${column}, ':'))
    WHEN 'customer:' THEN (SELECT name ${of('consumers')})
    WHEN 'schedule:' THEN (SELECT cron ${of('schedules')})
    WHEN 'git_source:' THEN (SELECT name ${of('git_sources')})
    WHEN 'event:' THEN (SELECT name ${of('events')})
    WHEN 'job:' THEN (SELECT app || '/' || action ${of('jobs')})
    WHEN 'error_handler:' THEN (SELECT app || '/' || action ${of('jobs')}) END`
}

/** Finds the name of one identity. @returns null as `identityName` does */
export const findIdentityName = (
  db: Pick<Reader, 'one'>,
  ws: string,
  identity: string,
): Promise<string | null> =>
  text.nullable.one(
    db,
    sql`SELECT ${identityName('who.identity', 'who.ws')} FROM (SELECT ${identity} AS identity, ${ws} AS ws) AS who`,
  )
