/** Workspaces and cells: all rows of a workspace are in one database, the one that the directory names. */
import type { Database } from '#store/database.ts'
import { raw, sql } from '#store/sql.ts'
import { copiedSchema } from '#store/workspace-copy/tables.ts'
import { listPlaces } from '#store/workspaces/cells.ts'
import type { Fleet } from '../../e2e/fleet.ts'
import type { Mover } from '../mover.ts'
import type { Finding } from './finding.ts'

const MIN_MOVES = 1

const countRows = async (db: Database, ws: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const { name, scope, isShared } of copiedSchema().tables) {
    if (isShared) continue
    const row = await db.one(sql`SELECT count(*) AS n FROM ${raw(name)} WHERE ${scope(ws)}`)
    if (Number(row?.n) > 0) found.push(`${row?.n} rows of ${name}`)
  }
  const own = await db.one(sql`SELECT count(*) AS n FROM workspaces WHERE id = ${ws}`)
  return Number(own?.n) > 0 ? [...found, 'the workspace'] : found
}

const listIds = async (db: Database): Promise<readonly string[]> =>
  (await db.all(sql`SELECT id FROM jobs UNION ALL SELECT id FROM flow_runs`)).map(({ id }) =>
    String(id),
  )

/** Traces of a move. None may remain when it is over. */
const listTraces = async (db: Database): Promise<readonly string[]> => {
  const held = await db.all(sql`SELECT ws FROM held_workspaces`)
  const fences = await db.all(sql`SELECT name FROM sqlite_schema WHERE name LIKE 'moving %'`)
  return [
    ...held.map(({ ws }) => `${ws} is held`),
    ...fences.map(({ name }) => `the fence ${name} stands`),
  ]
}

/** Call it while no move is in progress. */
export const auditCells = async (
  { databases, read }: Fleet,
  { workspaces, mover }: Readonly<{ workspaces: readonly string[]; mover: Mover }>,
): Promise<readonly Finding[]> => {
  const places = new Map((await read(listPlaces)).map((entry) => [entry.ws, entry]))
  const strays: string[] = []
  const traces: string[] = []
  const homes = new Map<string, string>()
  const doubles: string[] = []
  let ids = 0
  for (const { name } of databases) {
    await read(async (db) => {
      for (const ws of workspaces) {
        const isThere = (places.get(ws)?.cell ?? 'home') === name
        const rows = await countRows(db, ws)
        if (isThere !== rows.includes('the workspace') || (!isThere && rows.length > 0)) {
          strays.push(`${name} has of ${ws}: ${rows.join(', ') || 'nothing'}`)
        }
      }
      traces.push(...(await listTraces(db)).map((trace) => `${trace} in ${name}`))
      for (const id of await listIds(db)) {
        const other = homes.get(id)
        if (other !== undefined) doubles.push(`${id} is in ${other} and in ${name}`)
        homes.set(id, name)
        ids += 1
      }
    }, name)
  }
  return [
    {
      invariant: 'I13',
      what: `${ids} jobs and flow runs of ${databases.length} databases are in one of them each`,
      violations: doubles,
    },
    {
      invariant: 'I13',
      what: `the directory names the one database with the rows of each of ${workspaces.length} workspaces`,
      violations: strays,
    },
    {
      invariant: 'I3',
      what: 'no move left a hold or a fence behind',
      violations: traces,
    },
    {
      invariant: 'I18',
      what: `${mover.arrived()} moves of a workspace came to their end under load`,
      violations:
        mover.arrived() < MIN_MOVES ? [`at least ${MIN_MOVES} is wanted; ${mover.said()}`] : [],
    },
  ]
}
