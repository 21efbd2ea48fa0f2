/** The input of a process that measures scans. */
import { z } from 'zod'
import { ACCURACIES } from './measure-scan.ts'

export const scanTaskSchema = z.strictObject({
  quality: z.strictObject({
    name: z.string(),
    dpi: z.number(),
    skew: z.number().optional(),
    noise: z.number().optional(),
    blur: z.number().optional(),
    quality: z.number().optional(),
  }),
  seeds: z.array(z.int()),
  accuracies: z.array(z.enum(ACCURACIES)),
})
export type ScanTask = z.infer<typeof scanTaskSchema>
