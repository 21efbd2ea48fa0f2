/** Public links of flows [flows 10]. Uses are counted from their rows; no counter is stored. */
import type { Database, Statement } from '../database.ts'
import { bool, number, type RowOf, row, text, time } from '../row.ts'
import { type IdPage, isBehind } from '../search.ts'
import { SQL_NOW, sql } from '../sql.ts'
import { isNotHeld } from '../workspaces/held.ts'

const USES = sql`(SELECT count(*) FROM flow_link_uses u WHERE u.link_id = l.id)`

const flowLinkRow = row({
  ws: text,
  id: text,
  app: text,
  flow: text,
  prefix: text,
  /** The form as JSON. */
  formJson: text('form'),
  maxUses: number,
  uses: number(USES),
  expiresAt: time,
  revokedAt: time.nullable,
  /** The link is expired, revoked or used up, and starts no more runs. */
  hasEnded: bool(
    sql`l.revoked_at IS NOT NULL OR l.expires_at <= ${SQL_NOW} OR ${USES} >= l.max_uses`,
  ),
  createdBy: text,
  createdAt: time,
})
export type FlowLink = RowOf<typeof flowLinkRow>

export type NewFlowLink = Pick<
  FlowLink,
  'ws' | 'id' | 'app' | 'flow' | 'prefix' | 'formJson' | 'maxUses' | 'createdBy'
> &
  Readonly<{ hash: string; lifetimeDays: number }>

/** Inserts a link that expires after `lifetimeDays`. */
export const insertFlowLink = (link: NewFlowLink): Statement =>
  sql`INSERT INTO flow_links (ws, id, app, flow, hash, prefix, form, max_uses, expires_at, created_by, created_at)
    VALUES (${link.ws}, ${link.id}, ${link.app}, ${link.flow}, ${link.hash}, ${link.prefix},
      ${link.formJson}, ${link.maxUses}, ${SQL_NOW} + ${link.lifetimeDays} * 86400000, ${link.createdBy},
      ${SQL_NOW}) ON CONFLICT DO NOTHING`

/** Finds a link of a workspace, or null. */
export const findFlowLink = (db: Database, ws: string, id: string): Promise<FlowLink | null> =>
  flowLinkRow.one(
    db,
    sql`SELECT ${flowLinkRow.columns('l')} FROM flow_links l WHERE l.ws = ${ws} AND l.id = ${id}`,
  )

/** Finds the link with this hash. The database's clock decides whether it has expired. */
export const findFlowLinkByHash = (db: Database, hash: string): Promise<FlowLink | null> =>
  flowLinkRow.one(
    db,
    sql`SELECT ${flowLinkRow.columns('l')} FROM flow_links l WHERE l.hash = ${hash} AND ${isNotHeld('l.ws')}`,
  )

/** Lists the links of a workspace, newest first. */
export const listFlowLinks = (
  db: Database,
  ws: string,
  { beforeId, limit }: IdPage,
): Promise<readonly FlowLink[]> =>
  flowLinkRow.all(
    db,
    sql`SELECT ${flowLinkRow.columns('l')} FROM flow_links l WHERE l.ws = ${ws} AND ${isBehind('l.id', beforeId)}
      ORDER BY l.id DESC LIMIT ${limit}`,
  )

/** Revokes a link. Revoking twice keeps the first time. */
export const revokeFlowLink = (ws: string, id: string): Statement =>
  sql`UPDATE flow_links SET revoked_at = ${SQL_NOW} WHERE ws = ${ws} AND id = ${id} AND revoked_at IS NULL`

/** A guard: the link may start one more run. */
export const isLinkUsable = ({ ws, id }: Pick<FlowLink, 'ws' | 'id'>): Statement =>
  sql`EXISTS (SELECT 1 FROM flow_links l WHERE l.ws = ${ws} AND l.id = ${id} AND l.revoked_at IS NULL
      AND l.expires_at > ${SQL_NOW} AND ${USES} < l.max_uses)`

/** Records one use, in the batch of the start that it counts. */
export const insertLinkUse = (linkId: string, runId: string, guard: Statement): Statement =>
  sql`INSERT INTO flow_link_uses (link_id, run_id, at) SELECT ${linkId}, ${runId}, ${SQL_NOW} WHERE ${guard}
    ON CONFLICT DO NOTHING`
