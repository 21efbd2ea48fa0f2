/** Labels of jobs, by which they are found [jobs 20]. */
import type { Statement } from '../database.ts'
import { raw, sql } from '../sql.ts'

type Labeled = Readonly<{ ws: string; id: string | Statement; labels: readonly string[] }>

/** Gives the job its labels. @param condition for example that it was inserted */
export const insertLabels = ({ ws, id, labels }: Labeled, condition: Statement): Statement =>
  sql`INSERT INTO job_labels (ws, job_id, label)
    SELECT ${ws}, ${id}, value FROM json_each(${JSON.stringify(labels)}) WHERE ${condition}
    ON CONFLICT DO NOTHING`

/** Replaces the labels of a job. @param condition must hold for both statements */
export const replaceLabels = (labeled: Labeled, condition: Statement): readonly Statement[] => [
  sql`DELETE FROM job_labels WHERE ws = ${labeled.ws} AND job_id = ${labeled.id} AND ${condition}`,
  ...(labeled.labels.length === 0 ? [] : [insertLabels(labeled, condition)]),
]

/** An expression: the labels of the job in `jobs`, as JSON. */
export const LABELS_OF_JOB = raw(
  '(SELECT json_group_array(label) FROM (SELECT l.label FROM job_labels l WHERE l.ws = jobs.ws AND l.job_id = jobs.id ORDER BY l.label))',
)

/** A condition: the job in `jobs` has the label. */
export const hasLabel = (label: string): Statement =>
  sql`EXISTS (SELECT 1 FROM job_labels l WHERE l.ws = jobs.ws AND l.job_id = jobs.id AND l.label = ${label})`
