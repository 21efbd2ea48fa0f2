/** What a command is made of: how it is called, and what it does. */
import type { Argv, CommandModule, Options } from 'yargs'

/** The part of a command that loads when it is called; commands.ts holds its name and its description. */
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

/** Adds `list` for the command that runs if the caller names none, without a line in the help: other programs call it so. */
const withList = (commands: readonly CommandModule[]): readonly CommandModule[] => {
  const unnamed = commands.find((each) => nameOf(each) === '$0')
  return unnamed === undefined
    ? commands
    : [...commands, { ...unnamed, command: 'list', describe: false }]
}

/**
 * A command with commands of its own. The one that is called `$0` lists what there is, and runs if the caller names none.
 * @param addOptions adds what all of them share
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
