/** Files of apps as they were deployed: contents by hash, and which deployment is made of which. */
import { asBytes, asNumber, asText } from './column.ts'
import { type Database, type Statement, sql } from './database.ts'

export type SourceFile = Readonly<{
  path: string
  bytes: number
  /** Hex. */
  sha256: string
}>

/** Those of the hashes whose content is not in the database. */
export const findMissingSources = async (
  db: Database,
  hashes: readonly string[],
): Promise<readonly string[]> => {
  const rows = await db.all(
    sql(
      `SELECT value FROM json_each(?) WHERE value NOT IN (SELECT hash FROM source_files)`,
      JSON.stringify(hashes),
    ),
  )
  return rows.map((row) => asText(row.value))
}

export const insertSourceFile = (sha256: string, content: Uint8Array): Statement =>
  sql(
    'INSERT INTO source_files (hash, content) VALUES (?, ?) ON CONFLICT DO NOTHING',
    sha256,
    content,
  )

/** Nothing is inserted when the deployment was not. The contents must be there. */
export const insertDeploymentFiles = (
  deploymentId: string,
  files: readonly SourceFile[],
): Statement =>
  sql(
    `INSERT INTO deployment_files (deployment_id, path, hash, bytes)
     SELECT d.id, json_extract(f.value, '$[0]'), json_extract(f.value, '$[1]'), json_extract(f.value, '$[2]')
     FROM deployments d JOIN json_each(?) f WHERE d.id = ? ON CONFLICT DO NOTHING`,
    JSON.stringify(files.map(({ path, sha256, bytes }) => [path, sha256, bytes])),
    deploymentId,
  )

/** For a deployment that repeats a former one. Nothing is inserted when it was not. */
export const copyDeploymentFiles = ({ id }: Readonly<{ id: string }>): Statement =>
  sql(
    `INSERT INTO deployment_files (deployment_id, path, hash, bytes)
     SELECT d.id, f.path, f.hash, f.bytes
     FROM deployments d JOIN deployment_files f ON f.deployment_id = d.redeployed_from
     WHERE d.id = ? ON CONFLICT DO NOTHING`,
    id,
  )

export const hasDeploymentFiles = async (db: Database, deploymentId: string): Promise<boolean> =>
  (await db.one(
    sql('SELECT 1 FROM deployment_files WHERE deployment_id = ? LIMIT 1', deploymentId),
  )) !== null

/** By path; empty for a deployment that is older than this table. */
export const listDeploymentFiles = async (
  db: Database,
  deploymentId: string,
): Promise<readonly SourceFile[]> => {
  const rows = await db.all(
    sql(
      'SELECT path, hash, bytes FROM deployment_files WHERE deployment_id = ? ORDER BY path',
      deploymentId,
    ),
  )
  return rows.map((row) => ({
    path: asText(row.path),
    bytes: asNumber(row.bytes),
    sha256: asText(row.hash),
  }))
}

export const findDeploymentFile = async (
  db: Database,
  deploymentId: string,
  path: string,
): Promise<Uint8Array | null> => {
  const row = await db.one(
    sql(
      `SELECT s.content FROM deployment_files f JOIN source_files s ON s.hash = f.hash
       WHERE f.deployment_id = ? AND f.path = ?`,
      deploymentId,
      path,
    ),
  )
  return row === null ? null : asBytes(row.content)
}

/** Contents by hash; a hash that is not there is left out. */
export const findSources = async (
  db: Database,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const rows = await db.all(
    sql(
      'SELECT hash, content FROM source_files WHERE hash IN (SELECT value FROM json_each(?))',
      JSON.stringify(hashes),
    ),
  )
  return new Map(rows.map((row) => [asText(row.hash), asBytes(row.content)]))
}
