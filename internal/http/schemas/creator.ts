/** Who made something, on the wire. */
import { z } from './z.ts'

/** A response has it next to `created_by`. */
export const creatorName = z
  .string()
  .optional()
  .describe('what the id in created_by means: the name of a customer, the expression of a schedule')
