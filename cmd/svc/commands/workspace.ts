/** `svc workspace create|suspend|resume <ws>`; export, import and discard are in workspace-copy.ts. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/actor.ts'
import { isWorkspaceId, WORKSPACE_ID_RULE } from '#core/workspace-id.ts'
import { withDeps, withExistingDeps } from '#node/with-deps.ts'
import { administerWorkspace } from '#service/administer-workspace.ts'
import { createWorkspace } from '#service/create-workspace.ts'
import { commandGroup } from '../command.ts'
import { parseArguments } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'
import { discardCommand, exportCommand, importCommand } from './workspace-copy.ts'

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

const namedSchema = z.object({ ws: z.string() })

const suspendCommand = (isSuspended: boolean): CommandModule => ({
  command: `${isSuspended ? 'suspend' : 'resume'} <ws>`,
  describe: isSuspended ? 'Refuse paid calls of a workspace' : 'Serve its paid calls again',
  builder: (yargs) =>
    yargs
      .positional('ws', { type: 'string', describe: 'Its id' })
      .example(`$0 workspace ${isSuspended ? 'suspend' : 'resume'} acme`, ''),
  handler: async (flags) => {
    const { ws } = parseArguments(namedSchema, flags)
    await withExistingDeps(loadCommandConfig(flags), (deps) =>
      administerWorkspace(deps, { ws, rules: { isSuspended }, actor: CLI_ACTOR }),
    )
    process.stdout.write(`${isSuspended ? 'Suspended' : 'Resumed'} workspace ${ws}.\n`)
  },
})

export const command = commandGroup([
  createCommand,
  suspendCommand(true),
  suspendCommand(false),
  exportCommand,
  importCommand,
  discardCommand,
])
