/** `svc workspace create <ws>`. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { isWorkspaceId, WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { createWorkspace } from '#service/create-workspace.ts'
import { parseArguments } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { withDeps } from '../with-deps.ts'

const argumentsSchema = z.object({
  ws: z.string().refine(isWorkspaceId, WORKSPACE_ID_RULE),
  name: z.string().min(1, '--name must not be empty.').max(200, '--name is too long.').optional(),
})

const createCommand: CommandModule = {
  command: 'create <ws>',
  describe: 'Make a workspace',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Its id: a-z, 0-9 and -' })
      .option('name', { type: 'string', requiresArg: true, describe: 'For people' })
      .example('$0 workspace create sales --name "Sales team"', ''),
  handler: async (flags) => {
    const { ws, name } = parseArguments(argumentsSchema, flags)
    await withDeps(loadCommandConfig(flags), (deps) =>
      createWorkspace(deps, { id: ws, name: name ?? ws }),
    )
    process.stdout.write(`Made workspace ${ws}.\n`)
  },
}

export const workspaceCommand: CommandModule = {
  command: 'workspace <command>',
  describe: 'Make workspaces',
  builder: (yargs) => yargs.command(createCommand).demandCommand(1, 'Which one? create'),
  handler: () => undefined,
}
