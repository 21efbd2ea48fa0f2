/** A label of jobs by which a list is filtered. */
import { toLabel } from '#core/job/labels.ts'
import { z } from './z.ts'

export const labelQuery = z.string().min(1).max(500).transform(toLabel)
