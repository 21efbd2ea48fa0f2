/** Parses the command line and runs the command that it names. */
import process from 'node:process'
import yargs, { type Argv } from 'yargs'
import { AppError } from '#core/error.ts'
import { VERSION } from '#node/version.ts'
import { addCommands, takesSettings } from './commands.ts'
import { COMPLETE } from './completion-scripts.ts'
import { CommandFailed, EXIT, type ExitCode, UsageError } from './exit.ts'
import { explainError, explainRefusal, isWrongPlace } from './explain-error.ts'
import type { ReadHelp } from './help-text.ts'
import { printText } from './print.ts'

/** Prints an error. With `--json` it is a JSON document, whose `error` is the message. */
const sayError = (args: readonly string[], error: string, code: string): void => {
  const text = args.includes('--json') ? JSON.stringify({ error, code }) : error
  printText(`${text}\n`, process.stderr)
}

/** The help of a command as printed, with the flags of its own default command. */
const readHelp: ReadHelp = async (words) => {
  let help = ''
  // yargs does not print if it has a callback
  await openParser([]).parseAsync([...words, '--help'], {}, (_error, _flags, printed) => {
    help = printed
  })
  return help
}

/** Prints what is wrong, and where to read more. Its module loads only for a wrong command line. */
const reportUsage = async (message: string, args: readonly string[]): Promise<ExitCode> => {
  const { explainUsage } = await import('./wrong-usage.ts')
  sayError(args, await explainUsage(message, args, readHelp), 'usage')
  return EXIT.usage
}

/** A backup that cannot be used is a failure; any other invalid value comes from the caller. */
const isUsage = ({ kind, code }: AppError): boolean =>
  kind === 'invalid' && !code.startsWith('backup_')

const report = async (error: unknown, args: readonly string[]): Promise<ExitCode> => {
  if (error instanceof CommandFailed) return EXIT.failed
  if (error instanceof UsageError) return reportUsage(error.message, args)
  // yargs itself throws this for a flag without its value
  if (error instanceof Error && error.name === 'YError') return reportUsage(error.message, args)
  if (error instanceof AppError) {
    sayError(args, explainRefusal(error.message), error.code)
    return isUsage(error) ? EXIT.usage : EXIT.failed
  }
  sayError(args, explainError(error, takesSettings(args[0] ?? '')), 'failed')
  return isWrongPlace(error) ? EXIT.usage : EXIT.failed
}

/** yargs reports wrong usage as a message, and a failure of a command as the error. */
const rethrow = (message: string | null, error: Error | undefined): never => {
  if (error !== undefined && error.name !== 'YError') throw error
  throw new UsageError(message ?? error?.message ?? 'The command line was not understood.')
}

/** yargs reads any value of a flag that takes none as false: `--dry-run=1` would deploy. @throws {UsageError} */
const checkBare = (args: readonly string[], flags: Readonly<Record<string, unknown>>): void => {
  for (const arg of args) {
    const [, flag = '', value = ''] = /^--([^=]+)=(.*)$/s.exec(arg) ?? []
    if (typeof flags[flag] !== 'boolean' || value === 'true' || value === 'false') continue
    throw new UsageError(`--${flag} takes no value, but was given "${value}".`)
  }
}

const openParser = (given: readonly string[]): Argv =>
  addCommands(yargs([...given]).scriptName('svc'))
    .usage(
      'svc: runs your code as durable jobs. One file, one database.\n\nUsage: $0 <command> [options]',
    )
    .version(VERSION)
    .alias({ help: 'h', version: 'v' })
    .strict()
    .demandCommand(1, 'Which command?')
    .check((flags) => {
      checkBare(given, flags)
      return true
    })
    // always English, like our own messages
    .detectLocale(false)
    .showHelpOnFail(false)
    .exitProcess(false)
    .wrap(Math.min(process.stdout.columns ?? 80, 100))
    .fail(rethrow)

/** yargs prints the help of `svc` for an unknown command with --help. @throws {UsageError} */
const checkHelp = async (args: readonly string[]): Promise<void> => {
  if (!(args.includes('--help') || args.includes('-h'))) return
  const { namesNoCommand } = await import('./wrong-usage.ts')
  if (await namesNoCommand(args, readHelp)) throw new UsageError(`Unknown command: ${args[0]}`)
}

/** Without a command svc shows its help; `help <command>` shows the help of the command. */
const asHelp = (args: readonly string[]): readonly string[] => {
  const [first, ...rest] = args
  return first === undefined || first === 'help' ? [...rest, '--help'] : args
}

/** @param given without the program's own name */
export const runCommandLine = async (given: readonly string[]): Promise<ExitCode> => {
  const args = asHelp(given)
  try {
    if (args[0] === COMPLETE) {
      const { complete } = await import('./complete.ts')
      const found = await complete(args.slice(1), readHelp)
      process.stdout.write(found.map((each) => `${each}\n`).join(''))
      return EXIT.ok
    }
    await checkHelp(args)
    await openParser(args).parseAsync()
    return process.exitCode === EXIT.failed ? EXIT.failed : EXIT.ok
  } catch (error) {
    return await report(error, args)
  }
}
