/** What the thread that copies a database before its migration posts at its end. */
import { z } from 'zod'

const answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    backup: z.object({ file: z.string(), bytes: z.number(), schemaVersion: z.number() }),
  }),
  z.object({ kind: z.literal('failed'), message: z.string(), code: z.string() }),
])
export type MigrationBackupAnswer = Readonly<z.infer<typeof answer>>
/** Reads what the thread posts. */
export const readMigrationBackupAnswer = (posted: unknown): MigrationBackupAnswer =>
  answer.parse(posted)
