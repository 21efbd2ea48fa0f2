/**
 * `svc user create <email>` and `svc user reset-password <email>` print only the password to stdout.
 * `svc user remove <email>` frees an address. `svc user reset-two-factor <email>` lets a person sign in who has lost the second
 * factor.
 */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { CLI_ACTOR } from '#core/access/actor.ts'
import { ROLES } from '#core/access/scope.ts'
import { notFound } from '#core/error.ts'
import { withDeps, withExistingDeps } from '#node/with-deps.ts'
import { findDatabaseOf } from '#service/cells/find-database.ts'
import { addMember } from '#service/people/manage-member.ts'
import { newPassword } from '#service/people/new-password.ts'
import { removeUser } from '#service/people/remove-user.ts'
import { resetPassword } from '#service/people/reset-password.ts'
import { resetTwoFactor } from '#service/two-factor/manage-two-factor.ts'
import { createUser } from '#service/workspaces/create-workspace.ts'
import type { Database } from '#store/database.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { commandGroup } from '../command.ts'
import { emailArgument, parseArguments, textOption } from '../command-arguments.ts'
import { loadCommandConfig } from '../command-config.ts'

const argumentsSchema = z
  .object({
    email: emailArgument,
    'super-admin': z.boolean(),
    workspace: z.string().optional(),
    role: z.enum(ROLES).optional(),
  })
  .refine(({ role, workspace }) => role === undefined || workspace !== undefined, {
    error: '--role needs --workspace, the workspace to add the user to.',
  })

const refuseUnknownWorkspace = async (db: Database, ws: string): Promise<void> => {
  if ((await findWorkspace(db, ws)) !== null) return
  throw notFound(`Workspace "${ws}"`)
}

const printPassword = (done: string, password: string): void => {
  if (process.stdout.isTTY) process.stderr.write(`${done} The password, shown once:\n`)
  process.stdout.write(`${password}\n`)
}

const createCommand: CommandModule = {
  command: 'create <email>',
  describe: 'Create a user and print the password once',
  builder: (yargs) =>
    yargs
      .positional('email', { type: 'string', describe: 'E-mail address' })
      .option('super-admin', {
        type: 'boolean',
        default: false,
        describe: 'Administrator of the instance and of every workspace',
      })
      .option('workspace', textOption('Workspace to add the user to'))
      .option('role', {
        choices: ROLES,
        requiresArg: true,
        describe: 'Role in the workspace (default: member)',
      })
      .example('$0 user create ada@example.com --workspace default --role admin', ''),
  handler: async (flags) => {
    const { email, workspace, role = 'member', ...rest } = parseArguments(argumentsSchema, flags)
    const password = await withDeps(loadCommandConfig(flags), async (deps) => {
      const generated = newPassword(deps)
      const isSuperAdmin = rest['super-admin']
      const db = workspace === undefined ? deps.db : await findDatabaseOf(deps, workspace)
      if (workspace !== undefined) await refuseUnknownWorkspace(db, workspace)
      await createUser(deps, { email, password: generated, isSuperAdmin })
      if (workspace !== undefined) await addMember({ ...deps, db }, { ws: workspace, email, role })
      return generated
    })
    printPassword(`Created user ${email}.`, password)
  },
}

const removeCommand: CommandModule = {
  command: 'remove <email>',
  describe: 'Remove a user with all sessions, tokens and memberships',
  builder: (yargs) =>
    yargs
      .positional('email', { type: 'string', describe: 'E-mail address' })
      .example('$0 user remove ada@example.com', 'Frees the address for another person'),
  handler: async (flags) => {
    const { email } = parseArguments(z.object({ email: emailArgument }), flags)
    await withExistingDeps(loadCommandConfig(flags), (deps) =>
      removeUser(deps, { email, actor: CLI_ACTOR }),
    )
    process.stderr.write(`Removed user ${email}.\n`)
  },
}

const resetPasswordCommand: CommandModule = {
  command: 'reset-password <email>',
  describe: 'Set and print a new password for a user who lost it or has none; ends all sessions',
  builder: (yargs) =>
    yargs
      .positional('email', { type: 'string', describe: 'E-mail address' })
      .example('$0 user reset-password ada@example.com', 'Tokens and memberships stay'),
  handler: async (flags) => {
    const { email } = parseArguments(z.object({ email: emailArgument }), flags)
    const password = await withExistingDeps(loadCommandConfig(flags), (deps) =>
      resetPassword(deps, email),
    )
    printPassword(`Reset the password of ${email}.`, password)
  },
}

const resetTwoFactorCommand: CommandModule = {
  command: 'reset-two-factor <email>',
  describe: 'Turn off two-factor sign-in for a user who lost the app and the recovery codes',
  builder: (yargs) =>
    yargs
      .positional('email', { type: 'string', describe: 'E-mail address' })
      .example(
        '$0 user reset-two-factor ada@example.com',
        'Afterwards the password alone is enough',
      ),
  handler: async (flags) => {
    const { email } = parseArguments(z.object({ email: emailArgument }), flags)
    await withExistingDeps(loadCommandConfig(flags), (deps) =>
      resetTwoFactor(deps, { email, actor: CLI_ACTOR }),
    )
    process.stderr.write(`Turned two-factor sign-in of ${email} off.\n`)
  },
}

export const command = commandGroup([
  createCommand,
  removeCommand,
  resetPasswordCommand,
  resetTwoFactorCommand,
])
