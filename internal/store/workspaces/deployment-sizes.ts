/**
 * Bytes of deployments, read in portions. A file or bundle that the app's deployment before has too counts there. A deployment never
 * changes, so callers may cache its number.
 */
import type { Reader } from '../database.ts'
import { count, number, type RowOf, row, text } from '../row.ts'
import { sql } from '../sql.ts'

const placeRow = row({ app: text, id: text })
export type DeploymentPlace = RowOf<typeof placeRow>

/** Lists the deployments of a workspace after this one, by app, oldest first. */
export const listDeploymentPlaces = (
  db: Reader,
  ws: string,
  { after, limit }: Readonly<{ after: DeploymentPlace; limit: number }>,
): Promise<readonly DeploymentPlace[]> =>
  placeRow.all(
    db,
    sql`SELECT ${placeRow.columns()} FROM deployments INDEXED BY deployments_by_app
      WHERE ws = ${ws} AND (app, id) > (${after.app}, ${after.id}) ORDER BY app, id LIMIT ${limit}`,
  )

export type SizedDeployment = Readonly<{
  id: string
  /** The app's deployment before; an empty text for the first. */
  previousId: string
}>

/** Reads the bytes of the manifest, of the actions and of their bundles. */
export const readOwnBytes = (db: Reader, { id, previousId }: SizedDeployment): Promise<number> =>
  count(
    db,
    sql`SELECT COALESCE((SELECT octet_length(manifest) FROM deployments WHERE id = ${id}), 0)
      + COALESCE((SELECT sum(octet_length(definition)) FROM deployment_actions WHERE deployment_id = ${id}), 0)
      + COALESCE((SELECT sum(octet_length(code) + octet_length(source_map)) FROM bundles
        WHERE hash IN (SELECT bundle_hash FROM deployment_actions WHERE deployment_id = ${id}
          EXCEPT SELECT bundle_hash FROM deployment_actions WHERE deployment_id = ${previousId})), 0)`,
  )

/** Bytes of a SHA-256 in hexadecimal. */
const HASH_BYTES = 64

const fileRow = row({
  path: text,
  bytes: number(
    sql`octet_length(f.path) + ${HASH_BYTES} + CASE WHEN EXISTS (SELECT 1 FROM deployment_files p
      WHERE p.deployment_id = given.previous_id AND p.path = f.path AND p.hash = f.hash) THEN 0 ELSE f.bytes END`,
  ),
})
export type SizedFile = RowOf<typeof fileRow>

/** Reads the bytes of some files, in the order of their paths. @param after an empty text for the first */
export const readFileBytes = (
  db: Reader,
  { id, previousId }: SizedDeployment,
  { after, limit }: Readonly<{ after: string; limit: number }>,
): Promise<readonly SizedFile[]> =>
  fileRow.all(
    db,
    sql`SELECT ${fileRow.columns('f')} FROM deployment_files f, (SELECT ${previousId} AS previous_id) given
      WHERE f.deployment_id = ${id} AND f.path > ${after} ORDER BY f.path LIMIT ${limit}`,
  )
