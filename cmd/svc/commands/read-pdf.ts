/** `svc __read-pdf`: what svc starts itself as, to read PDFs apart from everything else. */
import type { CommandModule } from 'yargs'
import { runPart } from '#platform/part.ts'

export const readPdfCommand: CommandModule = {
  handler: () => runPart('read-pdf'),
}
