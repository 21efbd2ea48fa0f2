/** The list of jobs in which a flow run is one row. */
import { limit } from '../limit.ts'

export const MAX_COUNTED_JOBS = limit(
  'job.folded_count',
  1_000,
  'items',
  'Jobs of a flow run that `GET /jobs/folded` counts. A run with more shows this number.',
)
