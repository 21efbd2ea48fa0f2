/** `svc workspace move <ws> <cell>`: moves a workspace from one database of the instance to another. */
import { setTimeout } from 'node:timers/promises'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { configOfCell } from '#config/config.ts'
import { SECOND_MS } from '#core/time-units.ts'
import { withExistingDeps } from '#node/with-deps.ts'
import { moveWorkspace } from '#service/cells/move-workspace.ts'
import { parseArguments, wholeArgument } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { printLine, showProgress } from '../print.ts'

const MAX_DRAIN_S = 86_400

const moveArguments = z.object({
  ws: z.string(),
  cell: z.string(),
  'drain-s': wholeArgument('drain-s', 0, MAX_DRAIN_S),
})

export const moveCommand: CommandModule = {
  command: 'move <ws> <cell>',
  describe: 'Move a workspace to another database; its requests get 503 for a few seconds',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Workspace ID' })
      .positional('cell', {
        type: 'string',
        describe: 'Target: one of SVC_CELLS, or home for the first database',
      })
      .option('drain-s', {
        type: 'string',
        requiresArg: true,
        default: '30',
        describe: 'Seconds to wait for running jobs before the move is given up',
      })
      .example('$0 workspace move acme eu', 'Run it again after an interruption to continue')
      .example('$0 workspace move acme home', 'Move it back to the first database'),
  handler: async (flags) => {
    const { ws, cell, 'drain-s': drainS } = parseArguments(moveArguments, flags)
    const config = loadCommandConfig(flags)
    // if the cell is unknown, this error lists the existing ones
    configOfCell(config, cell)
    const { rows, pausedMs } = await withExistingDeps(config, (deps) =>
      moveWorkspace(deps, {
        ws,
        to: cell,
        drainMs: drainS * SECOND_MS,
        sleep: (ms) => setTimeout(ms),
        onProgress: showProgress,
      }),
    ).finally(() => showProgress(''))
    const paused = (pausedMs / SECOND_MS).toFixed(1)
    printLine(`Workspace ${ws} is in ${cell}: ${rows} rows, compared; paused for ${paused} s.`)
  },
}
