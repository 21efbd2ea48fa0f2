/** Labels of flow runs, by which they are found [flows 16]. */
import type { Reader, Statement } from '../database.ts'
import { text } from '../row.ts'
import { raw, sql } from '../sql.ts'

/** Gives a new run its labels. */
export const insertRunLabels = (
  { ws, id, labels }: Readonly<{ ws: string; id: string; labels: readonly string[] }>,
  guard: Statement,
): Statement =>
  sql`INSERT INTO flow_run_labels (ws, run_id, label)
    SELECT ${ws}, ${id}, value FROM json_each(${JSON.stringify(labels)}) WHERE ${guard}
    ON CONFLICT DO NOTHING`

/** An expression: the labels of the run in `r`, as JSON. */
export const LABELS_OF_RUN = raw(
  '(SELECT json_group_array(label) FROM (SELECT l.label FROM flow_run_labels l WHERE l.ws = r.ws AND l.run_id = r.id ORDER BY l.label))',
)

export const findRunLabels = (db: Reader, ws: string, id: string): Promise<readonly string[]> =>
  text.all(
    db,
    sql`SELECT label FROM flow_run_labels WHERE ws = ${ws} AND run_id = ${id} ORDER BY label`,
  )
