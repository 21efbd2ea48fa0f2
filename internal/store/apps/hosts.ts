/**
 * Host names that apps ask for, and the app that each leads to. Several apps may claim a name; a unique index allows only
 * one of the claims to have a proof.
 */
import type { AppAddress } from '#core/app-address.ts'
import type { HostProof } from '#core/function/host-proof.ts'
import type { Database, Statement } from '../database.ts'
import { count, oneOf, type RowOf, row, text } from '../row.ts'
import { listed, SQL_NOW, sql } from '../sql.ts'

const PROOFS: readonly HostProof[] = ['dns', 'operator', 'upgrade']

const hostClaimRow = row({
  host: text,
  ws: text,
  app: text,
  txtValue: text,
  /** Null if the name does not lead to the app yet. */
  proof: oneOf(PROOFS).nullable,
})
export type HostClaim = RowOf<typeof hostClaimRow>

/** Finds the app that a host name leads to. */
export const findAppByHost = (db: Database, host: string): Promise<HostClaim | null> =>
  hostClaimRow.one(
    db,
    sql`SELECT ${hostClaimRow.columns()} FROM app_host_claims WHERE host = ${host} AND proof IS NOT NULL`,
  )

/** Lists the host names that an app claims, by name. */
export const listHostClaims = (
  db: Database,
  { ws, app }: AppAddress,
): Promise<readonly HostClaim[]> =>
  hostClaimRow.all(
    db,
    sql`SELECT ${hostClaimRow.columns()} FROM app_host_claims WHERE ws = ${ws} AND app = ${app} ORDER BY host`,
  )

/** Selects what the version of an app's host names stands for. */
export const hostsContent = ({ ws, app }: AppAddress): Statement =>
  sql`SELECT json_group_array(host) FROM (
    SELECT host FROM app_host_claims WHERE ws = ${ws} AND app = ${app} ORDER BY host)`

/** Deletes all claims of an app except the given ones. */
export const deleteOtherHostClaims = (
  { ws, app }: AppAddress,
  hosts: readonly string[],
): Statement =>
  sql`DELETE FROM app_host_claims
    WHERE ws = ${ws} AND app = ${app} AND host NOT IN ${listed(hosts)}`

export type NewHostClaim = Readonly<{ host: string; txtValue: string }>

/** Inserts claims. Existing claims keep their TXT values. Inserts nothing if the app does not exist. */
export const insertHostClaims = (
  { ws, app }: AppAddress,
  claims: readonly NewHostClaim[],
): Statement =>
  sql`INSERT INTO app_host_claims (host, ws, app, txt_value, proof, created_at)
    SELECT value ->> 'host', apps.ws, apps.key, value ->> 'txtValue', NULL, ${SQL_NOW}
    FROM json_each(${JSON.stringify(claims)}), apps WHERE apps.ws = ${ws} AND apps.key = ${app}
    ON CONFLICT DO NOTHING`

/** Removes `upgrade` proofs, which predate the need for a proof, from other apps' claims, so that this app can prove these names. */
export const releaseUnprovenHosts = (
  { ws, app }: AppAddress,
  hosts: readonly string[],
): Statement =>
  sql`UPDATE app_host_claims SET proof = NULL
    WHERE proof = 'upgrade' AND host IN ${listed(hosts)}
    AND NOT (ws = ${ws} AND app = ${app})
      AND EXISTS (SELECT 1 FROM app_host_claims own
        WHERE own.host = app_host_claims.host AND own.ws = ${ws} AND own.app = ${app})`

/** Records a proof unless another app's claim has one. A proof by DNS does not replace a proof by an operator. */
export const proveHosts = (
  { ws, app }: AppAddress,
  hosts: readonly string[],
  proof: 'dns' | 'operator',
): Statement =>
  sql`UPDATE app_host_claims SET proof = ${proof}
    WHERE ws = ${ws} AND app = ${app} AND host IN ${listed(hosts)}
      AND (proof IS NULL OR proof = 'upgrade' OR (proof = 'dns' AND ${proof} = 'operator'))
      AND NOT EXISTS (SELECT 1 FROM app_host_claims other
        WHERE other.host = app_host_claims.host AND other.proof IS NOT NULL
          AND NOT (other.ws = ${ws} AND other.app = ${app}))`

/** Deletes all host names of the app, proven or not. */
export const deleteHostsOfApp = (ws: string, app: string): Statement =>
  sql`DELETE FROM app_host_claims WHERE ws = ${ws} AND app = ${app}`

/** Counts the host names that lead to an app without a proof. */
export const countUnprovenHosts = (db: Database): Promise<number> =>
  count(db, sql`SELECT count(*) FROM app_host_claims WHERE proof = 'upgrade'`)
