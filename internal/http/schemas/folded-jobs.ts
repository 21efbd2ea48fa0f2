/** Rows of the list of jobs in which a flow run represents its jobs. */
import { MAX_COUNTED_JOBS } from '#core/job/folded.ts'
import { time } from '../wire.ts'
import { flowRun } from './flows.ts'
import { job } from './jobs.ts'
import { z } from './z.ts'

export const foldedJob = z
  .object({
    id: z.uuid().describe('of the job or the run'),
    created_at: time,
    job: job.optional(),
    flow_run: flowRun.optional().describe('in place of `job`'),
    jobs: z.int().describe(`jobs of the run, counted up to ${MAX_COUNTED_JOBS}; 1 for a job`),
  })
  .openapi('FoldedJob')
