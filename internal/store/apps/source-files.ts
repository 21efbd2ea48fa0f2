/** Source files of deployments: the contents by hash, and the list of files of each deployment. */
import { asBytes, asText } from '../column.ts'
import type { Database, Statement } from '../database.ts'
import { bytes, exists, number, type RowOf, row, text } from '../row.ts'
import { listed, sql } from '../sql.ts'

const sourceFileRow = row({
  path: text,
  bytes: number,
  /** In hexadecimal. */
  sha256: text('hash'),
})
export type SourceFile = RowOf<typeof sourceFileRow>

/** Returns the hashes whose content the database does not have. */
export const findMissingSources = (
  db: Database,
  hashes: readonly string[],
): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT value FROM json_each(${JSON.stringify(hashes)}) WHERE value NOT IN (SELECT hash FROM source_files)`,
  )

/** Inserts a file's content unless it exists. */
export const insertSourceFile = (sha256: string, content: Uint8Array): Statement =>
  sql`INSERT INTO source_files (hash, content) VALUES (${sha256}, ${content}) ON CONFLICT DO NOTHING`

/** Inserts the files of a deployment, whose contents must exist. Inserts nothing if the deployment was not inserted. */
export const insertDeploymentFiles = (
  deploymentId: string,
  files: readonly SourceFile[],
): Statement => {
  const rows = files.map(({ path, sha256, bytes }) => [path, sha256, bytes])
  return sql`INSERT INTO deployment_files (deployment_id, path, hash, bytes)
    SELECT d.id, json_extract(f.value, '$[0]'), json_extract(f.value, '$[1]'), json_extract(f.value, '$[2]')
    FROM deployments d JOIN json_each(${JSON.stringify(rows)}) f WHERE d.id = ${deploymentId}
    ON CONFLICT DO NOTHING`
}

/** Copies the files of the former deployment. Inserts nothing if the redeployment was not inserted. */
export const copyDeploymentFiles = ({ id }: Readonly<{ id: string }>): Statement =>
  sql`INSERT INTO deployment_files (deployment_id, path, hash, bytes)
    SELECT d.id, f.path, f.hash, f.bytes
    FROM deployments d JOIN deployment_files f ON f.deployment_id = d.redeployed_from
    WHERE d.id = ${id} ON CONFLICT DO NOTHING`

/** Returns whether the files of a deployment were kept. */
export const hasDeploymentFiles = (db: Database, deploymentId: string): Promise<boolean> =>
  exists(db, sql`SELECT 1 FROM deployment_files WHERE deployment_id = ${deploymentId} LIMIT 1`)

/** Lists the files of a deployment, by path; empty for a deployment that is older than this table. */
export const listDeploymentFiles = (
  db: Database,
  deploymentId: string,
): Promise<readonly SourceFile[]> =>
  sourceFileRow.all(
    db,
    sql`SELECT ${sourceFileRow.columns()} FROM deployment_files WHERE deployment_id = ${deploymentId}
      ORDER BY path`,
  )

/** Finds the content of one file of a deployment, or null. */
export const findDeploymentFile = (
  db: Database,
  deploymentId: string,
  path: string,
): Promise<Uint8Array | null> =>
  bytes.one(
    db,
    sql`SELECT s.content FROM deployment_files f JOIN source_files s ON s.hash = f.hash
      WHERE f.deployment_id = ${deploymentId} AND f.path = ${path}`,
  )

const sourceSizeRow = row({ sha256: text('hash'), bytes: number(sql`octet_length(content)`) })
export type SourceSize = RowOf<typeof sourceSizeRow>

/** Returns the sizes of contents. Unknown hashes are left out. */
export const findSourceSizes = (
  db: Database,
  hashes: readonly string[],
): Promise<readonly SourceSize[]> =>
  sourceSizeRow.all(
    db,
    sql`SELECT ${sourceSizeRow.columns()} FROM source_files
      WHERE hash IN ${listed(hashes)}`,
  )

/** Returns contents by hash. Unknown hashes are left out. */
export const findSources = async (
  db: Database,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const rows = await db.all(
    sql`SELECT hash, content FROM source_files
      WHERE hash IN ${listed(hashes)}`,
  )
  return new Map(rows.map((row) => [asText(row.hash), asBytes(row.content)]))
}
