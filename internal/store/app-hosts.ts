/**
 * Host names that apps ask for, and which app each of them leads to. Several apps may claim a name; an index lets one of
 * the claims have a proof at a time.
 */
import type { HostProof } from '#core/function/host-proof.ts'
import { asText, asTextOrNull } from './column.ts'
import { type Database, type Row, SQL_NOW, type Statement, sql } from './database.ts'

export type HostedApp = Readonly<{ ws: string; app: string }>

export type HostClaim = HostedApp &
  Readonly<{
    host: string
    txtValue: string
    /** Null: the name does not lead to the app yet. */
    proof: HostProof | null
  }>

const PROOFS: readonly HostProof[] = ['dns', 'operator', 'upgrade']

const COLUMNS = 'host, ws, app, txt_value, proof'

const toClaim = (row: Row): HostClaim => {
  const proof = asTextOrNull(row.proof)
  return {
    host: asText(row.host),
    ws: asText(row.ws),
    app: asText(row.app),
    txtValue: asText(row.txt_value),
    proof: PROOFS.find((known) => known === proof) ?? null,
  }
}

/** The app that a host name leads to. */
export const findAppByHost = async (db: Database, host: string): Promise<HostClaim | null> => {
  const row = await db.one(
    sql(`SELECT ${COLUMNS} FROM app_host_claims WHERE host = ? AND proof IS NOT NULL`, host),
  )
  return row === null ? null : toClaim(row)
}

/** Of an app, by name. */
export const listHostClaims = async (
  db: Database,
  { ws, app }: HostedApp,
): Promise<readonly HostClaim[]> => {
  const rows = await db.all(
    sql(`SELECT ${COLUMNS} FROM app_host_claims WHERE ws = ? AND app = ? ORDER BY host`, ws, app),
  )
  return rows.map(toClaim)
}

/** Takes away every claim of an app but the named ones. */
export const deleteOtherHostClaims = (
  { ws, app }: HostedApp,
  hosts: readonly string[],
): Statement =>
  sql(
    `DELETE FROM app_host_claims
     WHERE ws = ? AND app = ? AND host NOT IN (SELECT value FROM json_each(?))`,
    ws,
    app,
    JSON.stringify(hosts),
  )

export type NewHostClaim = Readonly<{ host: string; txtValue: string }>

/** A claim that is there already stays, with its record. Inserts nothing when the app is gone. */
export const insertHostClaims = (
  { ws, app }: HostedApp,
  claims: readonly NewHostClaim[],
): Statement =>
  sql(
    `INSERT INTO app_host_claims (host, ws, app, txt_value, proof, created_at)
     SELECT value ->> 'host', apps.ws, apps.key, value ->> 'txtValue', NULL, ${SQL_NOW}
     FROM json_each(?), apps WHERE apps.ws = ? AND apps.key = ?
     ON CONFLICT DO NOTHING`,
    JSON.stringify(claims),
    ws,
    app,
  )

/** A name that another app has without a proof, from before names needed one, is free for who has a proof. */
export const releaseUnprovenHosts = ({ ws, app }: HostedApp, hosts: readonly string[]): Statement =>
  sql(
    `UPDATE app_host_claims SET proof = NULL
     WHERE proof = 'upgrade' AND host IN (SELECT value FROM json_each(?)) AND NOT (ws = ? AND app = ?)
       AND EXISTS (SELECT 1 FROM app_host_claims own
         WHERE own.host = app_host_claims.host AND own.ws = ? AND own.app = ?)`,
    JSON.stringify(hosts),
    ws,
    app,
    ws,
    app,
  )

/** Changes nothing where another app's claim has a proof. A proof by an operator is not replaced by one of DNS. */
export const proveHosts = (
  { ws, app }: HostedApp,
  hosts: readonly string[],
  proof: 'dns' | 'operator',
): Statement =>
  sql(
    `UPDATE app_host_claims SET proof = ?
     WHERE ws = ? AND app = ? AND host IN (SELECT value FROM json_each(?))
       AND (proof IS NULL OR proof = 'upgrade' OR (proof = 'dns' AND ? = 'operator'))
       AND NOT EXISTS (SELECT 1 FROM app_host_claims other
         WHERE other.host = app_host_claims.host AND other.proof IS NOT NULL
           AND NOT (other.ws = ? AND other.app = ?))`,
    proof,
    ws,
    app,
    JSON.stringify(hosts),
    proof,
    ws,
    app,
  )

export const deleteHostsOfApp = (ws: string, app: string): Statement =>
  sql('DELETE FROM app_host_claims WHERE ws = ? AND app = ?', ws, app)

/** How many names lead to an app though nobody proved them. */
export const countUnprovenHosts = async (db: Database): Promise<number> => {
  const row = await db.one(
    sql("SELECT count(*) AS hosts FROM app_host_claims WHERE proof = 'upgrade'"),
  )
  return Number(row?.hosts ?? 0)
}
