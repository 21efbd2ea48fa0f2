import { z } from './z.ts'

/** The body of every error [wire 3.2]. */
export const errorBody = z
  .object({
    error: z.string().describe('a sentence for a person'),
    code: z.string().describe('a word for programs'),
    request_id: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .openapi('Error')
