/** `svc __read-scan <engine> <data>`: what svc starts itself as, to read scans apart from everything else. */
import { runPart } from '#platform/part.ts'
import type { Command } from '../command.ts'

export const command: Command = {
  // the part reads them itself, as its last two arguments
  builder: (yargs) =>
    yargs
      .positional('engine', { type: 'string', demandOption: true })
      .positional('data', { type: 'string', demandOption: true }),
  handler: () => runPart('read-scan'),
}
