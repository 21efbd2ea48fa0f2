/** Reads the command line and runs the command it names. */
import process from 'node:process'
import yargs from 'yargs'
import { AppError } from '#core/error.ts'
import { VERSION } from '#node/version.ts'
import { addCommands, usageOf } from './commands.ts'
import { CommandFailed, EXIT, type ExitCode, UsageError } from './exit.ts'
import { explainError } from './explain-error.ts'

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const WORDS_MISSING = /^Not enough non-option arguments/

type Named = Readonly<{ usage: string; words: string }>

/**
 * The words before the first flag name the command, and its own command where it has some.
 * @param isShort words are missing: of a command that needs none they are its own command's
 */
const commandOf = (args: readonly string[], isShort: boolean): Named | null => {
  const usage = usageOf(args)
  if (usage === null) return null
  const [first, second = ''] = args
  const mayOwn = usage.endsWith('<command>') || (isShort && !usage.includes(' '))
  const hasOwn = mayOwn && /^[a-z]+$/.test(second)
  return hasOwn
    ? { usage: `${first} ${second} <...>`, words: `${first} ${second}` }
    : { usage, words: usage.split(' ')[0] ?? usage }
}

/** What was wrong, and where to read more: at the command's own help when the command is known. */
const reportUsage = (message: string, args: readonly string[]): ExitCode => {
  const isShort = WORDS_MISSING.test(message)
  const command = commandOf(args, isShort)
  say(isShort && command !== null ? `Something is missing: svc ${command.usage}` : message)
  say(`See \`svc${command === null ? '' : ` ${command.words}`} --help\`.`)
  return EXIT.usage
}

/** A copy that cannot be used is a failure; any other wrong value was given by who called. */
const isUsage = ({ kind, code }: AppError): boolean =>
  kind === 'invalid' && !code.startsWith('backup_')

const report = (error: unknown, args: readonly string[]): ExitCode => {
  if (error instanceof CommandFailed) return EXIT.failed
  if (error instanceof UsageError) return reportUsage(error.message, args)
  // a flag without its value reaches us from yargs itself
  if (error instanceof Error && error.name === 'YError') return reportUsage(error.message, args)
  if (error instanceof AppError) {
    say(error.message)
    return isUsage(error) ? EXIT.usage : EXIT.failed
  }
  say(explainError(error))
  return EXIT.failed
}

/** yargs reports wrong usage by a message, and a failure of a command by the error. */
const rethrow = (message: string | null, error: Error | undefined): never => {
  if (error !== undefined && error.name !== 'YError') throw error
  throw new UsageError(message ?? error?.message ?? 'The command line was not understood.')
}

/** @param args without the program's own name */
export const runCommandLine = async (args: readonly string[]): Promise<ExitCode> => {
  const parser = addCommands(yargs([...args]).scriptName('svc'))
    .usage(
      'svc: runs your code as durable jobs. One file, one database.\n\nUsage: $0 <command> [options]',
    )
    .version(VERSION)
    .alias({ help: 'h', version: 'v' })
    .strict()
    .completion('completion', 'Print a completion script for your shell')
    .demandCommand(1, 'Which command?')
    // one language, the one of these sentences
    .detectLocale(false)
    .recommendCommands()
    .showHelpOnFail(false)
    .exitProcess(false)
    .wrap(Math.min(process.stdout.columns ?? 80, 100))
    .fail(rethrow)
  try {
    await parser.parseAsync()
    return process.exitCode === EXIT.failed ? EXIT.failed : EXIT.ok
  } catch (error) {
    return report(error, args)
  }
}
