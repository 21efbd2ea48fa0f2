/** `svc workspace create <ws>` and `svc user create <email>`. */
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { addMember, createUser, createWorkspace } from '#service/create-workspace.ts'
import { loadCommandConfig } from '../command-config.ts'
import { withDeps } from '../with-deps.ts'

const PASSWORD_BYTES = 15

const workspaceArguments = z.object({ ws: z.string(), name: z.string().optional() })

export const workspaceCommand: CommandModule = {
  command: 'workspace <command>',
  describe: 'Workspaces',
  builder: (yargs) =>
    yargs.demandCommand(1).command({
      command: 'create <ws>',
      describe: 'Make a workspace',
      builder: (inner) =>
        inner
          .positional('ws', { type: 'string', describe: 'Its id' })
          .option('name', { type: 'string', describe: 'For people' }),
      handler: async (flags) => {
        const { ws, name } = workspaceArguments.parse(flags)
        await withDeps(loadCommandConfig(flags), (deps) =>
          createWorkspace(deps, { id: ws, name: name ?? ws }),
        )
        process.stdout.write(`Made workspace ${ws}.\n`)
      },
    }),
  handler: () => undefined,
}

const userArguments = z.object({
  email: z.string(),
  'super-admin': z.boolean(),
  workspace: z.string().optional(),
  role: z.enum(['member', 'admin']),
})

export const userCommand: CommandModule = {
  command: 'user <command>',
  describe: 'Users',
  builder: (yargs) =>
    yargs.demandCommand(1).command({
      command: 'create <email>',
      describe: 'Make a user and print a password',
      builder: (inner) =>
        inner
          .positional('email', { type: 'string', describe: 'E-mail address' })
          .option('super-admin', { type: 'boolean', default: false, describe: 'Runs the instance' })
          .option('workspace', { type: 'string', describe: 'Make it a member of this workspace' })
          .option('role', { choices: ['member', 'admin'], default: 'member' }),
      handler: async (flags) => {
        const { email, workspace, role, 'super-admin': isSuperAdmin } = userArguments.parse(flags)
        const password = randomBytes(PASSWORD_BYTES).toString('base64url')
        await withDeps(loadCommandConfig(flags), async (deps) => {
          await createUser(deps, { email, password, isSuperAdmin })
          if (workspace !== undefined) await addMember(deps, { ws: workspace, email, role })
        })
        process.stdout.write(`${password}\n`)
      },
    }),
  handler: () => undefined,
}
