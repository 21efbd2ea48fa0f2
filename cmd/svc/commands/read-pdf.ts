/** `svc __read-pdf`: svc starts itself with this command to read PDFs in a separate process. */
import { runPart } from '#platform/part.ts'
import type { Command } from '../command.ts'

export const command: Command = {
  handler: () => runPart('read-pdf'),
}
