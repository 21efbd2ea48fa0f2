/** The definition of a command: how it is called, and what it does. */
import type { Argv, CommandModule, Options } from 'yargs'

/** The part of a command that loads when it is called; its name and description are in commands.ts. */
export type Command = Readonly<{
  builder?: (yargs: Argv) => Argv
  handler: CommandModule['handler']
}>

/** How a command is called. */
export type Usage = Readonly<{
  /** Its words and positional arguments, for example `show <id>`. */
  command: string
  describe: string
  /** The description of each positional argument. */
  positionals?: Readonly<Record<string, string>>
  flags?: Readonly<Record<string, Options>>
  examples?: readonly (readonly [line: string, what: string])[]
}>

export const addUsage = (
  yargs: Argv,
  { positionals = {}, flags = {}, examples = [] }: Omit<Usage, 'command' | 'describe'>,
): Argv => {
  for (const [name, describe] of Object.entries(positionals)) {
    yargs.positional(name, { type: 'string', describe })
  }
  for (const [line, what] of examples) yargs.example(line, what)
  return yargs.options(flags)
}

const nameOf = ({ command }: CommandModule): string => String(command).split(' ')[0] ?? ''

/** Adds a hidden alias `list` for the default command of a group, because other command-line tools use that name. */
const withList = (commands: readonly CommandModule[]): readonly CommandModule[] => {
  const unnamed = commands.find((each) => nameOf(each) === '$0')
  return unnamed === undefined
    ? commands
    : [...commands, { ...unnamed, command: 'list', describe: false }]
}

/**
 * Defines a command with subcommands. The subcommand `$0` lists the items; it runs if the caller names none.
 * @param addOptions adds options that all of them share
 */
export const commandGroup = (
  commands: readonly CommandModule[],
  addOptions: (yargs: Argv) => Argv = (yargs) => yargs,
): Command => {
  const names = commands.map(nameOf)
  return {
    builder: (yargs) => {
      const known = withList(commands).reduce((all, each) => all.command(each), addOptions(yargs))
      return names.includes('$0') ? known : known.demandCommand(1, `Which one? ${names.join(', ')}`)
    },
    handler: () => undefined,
  }
}
