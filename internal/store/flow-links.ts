/** Public links of flows [flows 10]. Uses are counted from their rows, never kept beside them. */
import { asNumber, asNumberOrNull, asText } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type FlowLink = Readonly<{
  ws: string
  id: string
  app: string
  flow: string
  prefix: string
  /** The form as JSON. */
  formJson: string
  maxUses: number
  uses: number
  expiresAt: number
  revokedAt: number | null
  /** Expired, revoked or used up: it starts nothing any more. */
  hasEnded: boolean
  createdBy: string
  createdAt: number
}>

const USES = '(SELECT count(*) FROM flow_link_uses u WHERE u.link_id = l.id)'
const COLUMNS = `l.*, ${USES} AS uses,
  l.revoked_at IS NOT NULL OR l.expires_at <= ${SQL_NOW} OR ${USES} >= l.max_uses AS ended`

const toLink = (row: Row): FlowLink => ({
  ws: asText(row.ws),
  id: asText(row.id),
  app: asText(row.app),
  flow: asText(row.flow),
  prefix: asText(row.prefix),
  formJson: asText(row.form),
  maxUses: asNumber(row.max_uses),
  uses: asNumber(row.uses),
  expiresAt: asNumber(row.expires_at),
  revokedAt: asNumberOrNull(row.revoked_at),
  hasEnded: row.ended === 1,
  createdBy: asText(row.created_by),
  createdAt: asNumber(row.created_at),
})

export type NewFlowLink = Pick<
  FlowLink,
  'ws' | 'id' | 'app' | 'flow' | 'prefix' | 'formJson' | 'maxUses' | 'createdBy'
> &
  Readonly<{ hash: string; lifetimeDays: number }>

export const insertFlowLink = (link: NewFlowLink): Statement =>
  sql(
    `INSERT INTO flow_links (ws, id, app, flow, hash, prefix, form, max_uses, expires_at, created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${SQL_NOW} + ? * 86400000, ?, ${SQL_NOW}) ON CONFLICT DO NOTHING`,
    link.ws,
    link.id,
    link.app,
    link.flow,
    link.hash,
    link.prefix,
    link.formJson,
    link.maxUses,
    link.lifetimeDays,
    link.createdBy,
  )

export const findFlowLink = async (
  db: Database,
  ws: string,
  id: string,
): Promise<FlowLink | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM flow_links l WHERE l.ws = ? AND l.id = ?`, ws, id),
  )
  return row === null ? null : toLink(row)
}

/** One read for the whole check; expiry is decided by the database's clock. */
export const findFlowLinkByHash = async (db: Database, hash: string): Promise<FlowLink | null> => {
  const row = await db.one(sql(`SELECT ${COLUMNS} FROM flow_links l WHERE l.hash = ?`, hash))
  return row === null ? null : toLink(row)
}

/** Newest first. */
export const listFlowLinks = async (
  db: Database,
  ws: string,
  { beforeId, limit }: Readonly<{ beforeId: string | null; limit: number }>,
): Promise<readonly FlowLink[]> => {
  const rows = await db.all(
    sql(
      `SELECT ${COLUMNS} FROM flow_links l WHERE l.ws = ? AND (? IS NULL OR l.id < ?)
       ORDER BY l.id DESC LIMIT ?`,
      ws,
      beforeId,
      beforeId,
      limit,
    ),
  )
  return rows.map(toLink)
}

/** Revoking twice keeps the first time. */
export const revokeFlowLink = (ws: string, id: string): Statement =>
  sql(
    `UPDATE flow_links SET revoked_at = ${SQL_NOW} WHERE ws = ? AND id = ? AND revoked_at IS NULL`,
    ws,
    id,
  )

/** A guard: the link may start one more run. */
export const isLinkUsable = ({ ws, id }: Pick<FlowLink, 'ws' | 'id'>): Statement =>
  sql(
    `EXISTS (SELECT 1 FROM flow_links l WHERE l.ws = ? AND l.id = ? AND l.revoked_at IS NULL
       AND l.expires_at > ${SQL_NOW} AND ${USES} < l.max_uses)`,
    ws,
    id,
  )

/** With the start that it counts. */
export const insertLinkUse = (linkId: string, runId: string, guard: Statement): Statement =>
  sql(
    `INSERT INTO flow_link_uses (link_id, run_id, at) SELECT ?, ?, ${SQL_NOW} WHERE ${guard.sql}
     ON CONFLICT DO NOTHING`,
    linkId,
    runId,
    ...guard.args,
  )
