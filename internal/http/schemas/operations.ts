/** Operations on many jobs on the wire [jobs 17.5]. */
import { OPERATION_KINDS, OPERATION_STATUSES } from '#core/job/operation.ts'
import { storedEnum, time } from '../wire.ts'
import { z } from './z.ts'

export const operation = z
  .object({
    id: z.uuid(),
    kind: storedEnum(OPERATION_KINDS).describe('what it does to each job'),
    status: storedEnum(OPERATION_STATUSES).describe(
      'failed: it could do nothing to any of its jobs',
    ),
    stopped: z
      .boolean()
      .describe('a person stopped it: the jobs that neither `done` nor `failed` counts are left'),
    matched: z.int().describe('jobs that matched when it was accepted'),
    done: z.int(),
    failed: z.int().describe('jobs to which it could not do it'),
    created_by: z.string(),
    created_at: time,
    completed_at: time.nullable(),
  })
  .openapi('Operation')
