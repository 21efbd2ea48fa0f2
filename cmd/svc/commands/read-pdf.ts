/** `svc __read-pdf`: what svc starts itself as, to read PDFs apart from everything else. */
import { runPart } from '#platform/part.ts'
import type { Command } from '../command.ts'

export const command: Command = {
  handler: () => runPart('read-pdf'),
}
