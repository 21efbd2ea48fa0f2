/** `svc __read-scan <engine> <data>`: svc starts itself with this command to read scans in a separate process. */
import { runPart } from '#platform/part.ts'
import type { Command } from '../command.ts'

export const command: Command = {
  // the part reads these arguments itself, as its last two
  builder: (yargs) =>
    yargs
      .positional('engine', { type: 'string', demandOption: true })
      .positional('data', { type: 'string', demandOption: true }),
  handler: () => runPart('read-scan'),
}
