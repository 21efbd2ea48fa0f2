/** A label by which a list of jobs or flow runs is filtered. */
import { toLabel } from '#core/job/labels.ts'
import { z } from './z.ts'

export const labelQuery = z.string().min(1).max(500).transform(toLabel)
