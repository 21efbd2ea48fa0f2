/** The message that the thread posts when it has copied a database before its migration. */
import { z } from 'zod'

const answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    backup: z.object({ file: z.string(), bytes: z.number(), schemaVersion: z.number() }),
  }),
  z.object({ kind: z.literal('failed'), message: z.string(), code: z.string() }),
])
export type MigrationBackupAnswer = Readonly<z.infer<typeof answer>>
/** Parses the message of the thread. */
export const readMigrationBackupAnswer = (posted: unknown): MigrationBackupAnswer =>
  answer.parse(posted)
