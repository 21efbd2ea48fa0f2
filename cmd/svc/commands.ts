/**
 * The contents page of the command line. Each command is a file under commands/ and loads only when it is called, so
 * that `svc --version` and `svc --help` answer at once.
 */
import type { Argv, CommandModule } from 'yargs'

type Entry = Readonly<{
  command: string
  /** False: hidden. */
  describe: string | false
  /** The settings that may be given as flags; `local` are those of commands that only open the database. */
  settings: 'all' | 'local' | 'none'
  load: () => Promise<CommandModule>
}>

const lists = () => import('./commands/lists.ts')
const startCommands = () => import('./commands/start.ts')

const ENTRIES: readonly Entry[] = [
  {
    command: 'start',
    describe: 'Run a whole node: server, worker and scheduler in one process',
    settings: 'all',
    load: async () => (await startCommands()).roleCommand('start'),
  },
  {
    command: 'server',
    describe: 'Run the server alone',
    settings: 'all',
    load: async () => (await startCommands()).roleCommand('server'),
  },
  {
    command: 'worker',
    describe: 'Run a worker alone',
    settings: 'all',
    load: async () => (await startCommands()).roleCommand('worker'),
  },
  {
    command: 'scheduler',
    describe: 'Run a scheduler alone',
    settings: 'all',
    load: async () => (await startCommands()).roleCommand('scheduler'),
  },
  {
    command: 'login [endpoint]',
    describe: 'Log in to a server by your browser',
    settings: 'none',
    load: async () => (await import('./commands/login.ts')).loginCommand,
  },
  {
    command: 'pull [app]',
    describe: 'Download an app’s functions',
    settings: 'none',
    load: async () => (await import('./commands/pull.ts')).pullCommand,
  },
  {
    command: 'dev',
    describe: 'Serve this folder’s functions, and reload what changes',
    settings: 'none',
    load: async () => (await import('./commands/dev.ts')).devCommand,
  },
  {
    command: 'build',
    describe: 'Check the functions and write functions.yaml',
    settings: 'none',
    load: async () => (await import('./commands/build.ts')).buildCommand,
  },
  {
    command: 'deploy [functions...]',
    describe: 'Deploy functions: the named ones, else all',
    settings: 'none',
    load: async () => (await import('./commands/deploy.ts')).deployCommand,
  },
  {
    command: 'templates [name]',
    describe: 'Make a function from a template',
    settings: 'none',
    load: async () => (await import('./commands/templates.ts')).templatesCommand,
  },
  {
    command: 'run <action>',
    describe: 'Run an action',
    settings: 'none',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  {
    command: 'jobs',
    describe: 'List, show and cancel jobs',
    settings: 'none',
    load: async () => (await import('./commands/jobs.ts')).jobsCommand,
  },
  {
    command: 'logs <job_id>',
    describe: 'Print what a job wrote',
    settings: 'none',
    load: async () => (await import('./commands/logs.ts')).logsCommand,
  },
  {
    command: 'flows',
    describe: 'List, draw, start and watch flows',
    settings: 'none',
    load: async () => (await import('./commands/flows.ts')).flowsCommand,
  },
  {
    command: 'schedules',
    describe: 'List schedules',
    settings: 'none',
    load: async () => (await lists()).schedulesCommand,
  },
  {
    command: 'tokens',
    describe: 'List API tokens',
    settings: 'none',
    load: async () => (await lists()).tokensCommand,
  },
  {
    command: 'apps',
    describe: 'List apps and their actions, go back to a former deployment',
    settings: 'none',
    load: async () => (await import('./commands/apps.ts')).appsCommand,
  },
  {
    command: 'git',
    describe: 'List git sources',
    settings: 'none',
    load: async () => (await lists()).gitCommand,
  },
  {
    command: 'workers',
    describe: 'List live workers',
    settings: 'none',
    load: async () => (await lists()).workersCommand,
  },
  {
    command: 'parse <command>',
    describe: 'Read documents here, without a server',
    settings: 'none',
    load: async () => (await import('./commands/parse.ts')).parseCommand,
  },
  {
    command: 'create-token <ws> <email>',
    describe: 'Make an API token and print it',
    settings: 'local',
    load: async () => (await import('./commands/create-token.ts')).createTokenCommand,
  },
  {
    command: 'workspace <command>',
    describe: 'Make, suspend and resume workspaces',
    settings: 'local',
    load: async () => (await import('./commands/workspace.ts')).workspaceCommand,
  },
  {
    command: 'credits <command>',
    describe: 'Show and add prepaid credit',
    settings: 'local',
    load: async () => (await import('./commands/credits.ts')).creditsCommand,
  },
  {
    command: 'user <command>',
    describe: 'Make and remove users',
    settings: 'local',
    load: async () => (await import('./commands/user.ts')).userCommand,
  },
  {
    command: 'db <command>',
    describe: 'Migrate, back up, restore or move the database',
    settings: 'local',
    load: async () => (await import('./commands/db.ts')).dbCommand,
  },
  {
    command: 'keys <command>',
    describe: 'Change the instance key; make tokens for sqld',
    settings: 'local',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  {
    command: 'config',
    describe: 'Print the effective settings, secrets masked',
    settings: 'all',
    load: async () => (await import('./commands/config.ts')).configCommand,
  },
  {
    command: 'doctor',
    describe: 'Check what svc needs here, and say how to mend it',
    settings: 'all',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    command: 'health',
    describe: 'Ask the node on this machine whether it can work',
    settings: 'all',
    load: async () => (await import('./commands/health.ts')).healthCommand,
  },
  {
    command: '__sandbox',
    describe: false,
    settings: 'none',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  },
  {
    command: '__read-pdf',
    describe: false,
    settings: 'none',
    load: async () => (await import('./commands/read-pdf.ts')).readPdfCommand,
  },
  {
    command: '__read-scan <engine> <data>',
    describe: false,
    settings: 'none',
    load: async () => (await import('./commands/read-scan.ts')).readScanCommand,
  },
  {
    command: '__self-test',
    describe: false,
    settings: 'none',
    load: async () => (await import('./commands/self-test.ts')).selfTestCommand,
  },
]

const addSettings = async (argv: Argv, settings: Entry['settings']): Promise<Argv> => {
  if (settings === 'none') return argv
  const { flagOptions } = await import('#config/describe-config.ts')
  return argv.options(
    settings === 'all'
      ? flagOptions()
      : flagOptions('dataDir', 'databaseUrl', 'logLevel', 'logFormat'),
  )
}

const toLazyCommand = ({ command, describe, settings, load }: Entry): CommandModule => ({
  command,
  describe,
  builder: async (argv: Argv) => {
    const { builder } = await load()
    const known = typeof builder === 'function' ? await builder(argv) : argv
    return await addSettings(known, settings)
  },
  handler: async (flags) => (await load()).handler(flags),
})

/** How the command that these words begin with is called, or null. @param words for example `['db', 'backup']` */
export const usageOf = ([first]: readonly string[]): string | null =>
  ENTRIES.find(({ command, describe }) => describe !== false && command.split(' ')[0] === first)
    ?.command ?? null

export const addCommands = (argv: Argv): Argv =>
  ENTRIES.reduce((known, entry) => known.command(toLazyCommand(entry)), argv)
