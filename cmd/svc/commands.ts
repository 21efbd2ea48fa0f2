/**
 * The table of all commands. Each command is a file under commands/ and loads only when it is called, so
 * that `svc --version` and `svc --help` respond at once.
 */
import type { Argv, CommandModule } from 'yargs'
import type { NodeRole } from '#core/node-role.ts'
import type { Command } from './command.ts'

type Load = () => Promise<Readonly<{ command: Command }>>
/** Commands by name; a description of false hides the command. */
type Commands = Readonly<Record<string, readonly [describe: string | false, load: Load]>>
/** The settings that are accepted as flags; `local` means those of commands that only open the database. */
type Settings = 'all' | 'local' | 'none'

const role =
  (name: NodeRole): Load =>
  async () => ({ command: (await import('./commands/start.ts')).roleCommand(name) })

const ROLES: Commands = {
  start: ['Run a whole node: server, worker and scheduler in one process', role('start')],
  server: ['Run the server alone', role('server')],
  worker: ['Run a worker alone', role('worker')],
  scheduler: ['Run a scheduler alone', role('scheduler')],
}

const CALLERS: Commands = {
  'login [endpoint]': ['Log in to a server with your browser', () => import('./commands/login.ts')],
  logout: ['Revoke the token of `svc login`', () => import('./commands/logout.ts')],
  whoami: ['Show the server, workspace and scopes in use', () => import('./commands/whoami.ts')],
  status: [
    'Show the health of the server and the size of its queues',
    () => import('./commands/status.ts'),
  ],
  'open [page]': ['Open the console in the browser', () => import('./commands/open.ts')],
  top: ['Watch queues, workers and rates', () => import('./commands/top.ts')],
  'pull [app]': ['Download an app’s functions', () => import('./commands/pull.ts')],
  dev: [
    'Serve the functions of this folder and reload them on changes',
    () => import('./commands/dev.ts'),
  ],
  build: ['Check the functions and write functions.yaml', () => import('./commands/build.ts')],
  'deploy [functions...]': [
    'Deploy this folder as an app, or only the named functions',
    () => import('./commands/deploy.ts'),
  ],
  'init [name]': ['Create a project from a template', () => import('./commands/init.ts')],
  'templates [name]': [
    'Create a function from a template',
    () => import('./commands/templates.ts'),
  ],
  'run <action>': ['Run an action', () => import('./commands/run.ts')],
  jobs: ['List, show, cancel, replay and queue jobs', () => import('./commands/jobs.ts')],
  'logs <job_id>': ['Print the log of a job', () => import('./commands/logs.ts')],
  'events <command>': [
    'Send events to jobs and flows that wait for them',
    () => import('./commands/events.ts'),
  ],
  flows: [
    'List, draw, start, watch, decide and restart flows',
    () => import('./commands/flows.ts'),
  ],
  schedules: [
    'List, create, enable, disable and delete schedules',
    () => import('./commands/schedules.ts'),
  ],
  webhooks: [
    'List webhooks and deliveries, and replay a delivery',
    () => import('./commands/webhooks.ts'),
  ],
  variables: ['List, set and delete variables', () => import('./commands/variables.ts')],
  tokens: ['List, create and revoke API tokens', () => import('./commands/tokens.ts')],
  apps: [
    'List apps, actions and deployments, and redeploy one',
    () => import('./commands/apps.ts'),
  ],
  git: ['List, add, sync and delete git sources', () => import('./commands/git.ts')],
  workers: ['List live workers', () => import('./commands/workers.ts')],
  'parse <command>': [
    'Read documents on this machine, without a server',
    () => import('./commands/parse.ts'),
  ],
}

const OF_DATABASE: Commands = {
  'create-token <ws> <email>': [
    'Create an API token and print it',
    () => import('./commands/create-token.ts'),
  ],
  'workspace <command>': [
    'Create, list, move, export, import, suspend and resume workspaces',
    () => import('./commands/workspace.ts'),
  ],
  'credits <command>': ['Show and add prepaid credit', () => import('./commands/credits.ts')],
  'user <command>': ['Create and remove users', () => import('./commands/user.ts')],
  'db <command>': [
    'Migrate, back up, restore or move the database',
    () => import('./commands/db.ts'),
  ],
  'keys <command>': [
    'Rotate the instance key, and create tokens for sqld',
    () => import('./commands/keys.ts'),
  ],
}

const OF_NODE: Commands = {
  config: [
    'Print the effective settings, with secrets masked',
    () => import('./commands/config.ts'),
  ],
  doctor: [
    'Check this machine for problems and print how to fix them',
    () => import('./commands/doctor.ts'),
  ],
  'support-bundle [file]': [
    'Pack diagnostics into a file, with secrets masked',
    () => import('./commands/support-bundle.ts'),
  ],
  health: ['Check the health of the node on this machine', () => import('./commands/health.ts')],
}

const OF_PROGRAM: Commands = {
  'upgrade <file>': [
    'Replace this program with that of another release',
    () => import('./commands/upgrade.ts'),
  ],
  licenses: ['Print what svc contains, with its licences', () => import('./commands/licenses.ts')],
  'completion [shell]': [
    'Print a completion script for your shell',
    () => import('./commands/completion.ts'),
  ],
}

/** Commands with which svc starts itself. */
const HIDDEN: Commands = {
  __sandbox: [false, () => import('./commands/sandbox.ts')],
  '__read-pdf': [false, () => import('./commands/read-pdf.ts')],
  '__read-scan <engine> <data>': [false, () => import('./commands/read-scan.ts')],
  '__self-test': [false, () => import('./commands/self-test.ts')],
}

/** In the order of the help. */
const GROUPS: readonly (readonly [Settings, Commands])[] = [
  ['all', ROLES],
  ['none', CALLERS],
  ['local', OF_DATABASE],
  ['all', OF_NODE],
  ['none', OF_PROGRAM],
  ['none', HIDDEN],
]

const addSettings = async (argv: Argv, settings: Settings): Promise<Argv> => {
  if (settings === 'none') return argv
  const { flagOptions } = await import('#config/describe-config.ts')
  return argv.options(
    settings === 'all'
      ? flagOptions()
      : flagOptions('dataDir', 'databaseUrl', 'logLevel', 'logFormat'),
  )
}

const lazyCommands = ([settings, commands]: (typeof GROUPS)[number]): readonly CommandModule[] =>
  Object.entries(commands).map(([command, [describe, load]]) => ({
    command,
    describe,
    builder: async (argv: Argv) => {
      const { builder } = (await load()).command
      return await addSettings(builder === undefined ? argv : builder(argv), settings)
    },
    handler: async (flags) => (await load()).command.handler(flags),
  }))

/** Whether the command with this name takes settings of a node as flags. `svc doctor` takes the same ones. */
export const takesSettings = (name: string): boolean =>
  GROUPS.some(
    ([settings, commands]) =>
      settings !== 'none' && Object.keys(commands).some((usage) => usage.split(' ')[0] === name),
  )

/** The usage and description of the commands in the help, in its order. */
export const shownCommands = (): readonly (readonly [usage: string, describe: string])[] =>
  GROUPS.flatMap(([, commands]) =>
    Object.entries(commands).flatMap(([usage, [describe]]) =>
      describe === false ? [] : [[usage, describe] as const],
    ),
  )

export const addCommands = (argv: Argv): Argv =>
  GROUPS.flatMap(lazyCommands).reduce((known, command) => known.command(command), argv)
