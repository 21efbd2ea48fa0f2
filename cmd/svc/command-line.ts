/** Reads the command line and runs the command it names. */
import process from 'node:process'
import type { Argv } from 'yargs'
import yargs from 'yargs'
import { AppError } from '#core/error.ts'
import { VERSION } from '#node/version.ts'
import { addCommands, usageOf } from './commands.ts'
import { CommandFailed, EXIT, type ExitCode, UsageError } from './exit.ts'
import { explainError } from './explain-error.ts'

/** With `--json` errors are JSON too: one document, whose `error` is the sentence. */
const sayError = (args: readonly string[], error: string, code: string): void => {
  const text = args.includes('--json') ? JSON.stringify({ error, code }) : error
  process.stderr.write(`${text}\n`)
}

/** The scripts of yargs call svc with it, and then the words so far. */
const COMPLETE = '--get-yargs-completions'

const WORDS_MISSING = /^Not enough non-option arguments/

/**
 * The words before the first flag name the command, and its own command where it has some.
 * @param isShort words are missing: of a command that needs none they are its own command's
 */
const wordsOf = (args: readonly string[], isShort: boolean): string | null => {
  const usage = usageOf(args)
  if (usage === null) return null
  const [first = '', second = ''] = args
  const mayOwn = usage.endsWith('<command>') || (isShort && !usage.includes(' '))
  return mayOwn && /^[a-z][a-z-]*$/.test(second) ? `${first} ${second}` : first
}

/** The first line of the command's own help, which names its arguments. */
const usageLineOf = async (words: string): Promise<string> => {
  const [line = ''] = (await openParser(words.split(' ')).getHelp()).split('\n')
  return line.replace(/ \[options\]$/, '')
}

/** The help of a command as it is printed, with the flags of its own default command. */
const readHelp = async (words: readonly string[]): Promise<string> => {
  let help = ''
  // with a callback yargs prints nothing
  await openParser([]).parseAsync([...words, '--help'], {}, (_error, _flags, printed) => {
    help = printed
  })
  return help
}

/** What was wrong, and where to read more: at the command's own help when the command is known. */
const reportUsage = async (message: string, args: readonly string[]): Promise<ExitCode> => {
  const isShort = WORDS_MISSING.test(message)
  const words = wordsOf(args, isShort)
  const sentence =
    isShort && words !== null ? `Something is missing: ${await usageLineOf(words)}` : message
  sayError(args, `${sentence}\nSee \`svc${words === null ? '' : ` ${words}`} --help\`.`, 'usage')
  return EXIT.usage
}

/** A copy that cannot be used is a failure; any other wrong value was given by who called. */
const isUsage = ({ kind, code }: AppError): boolean =>
  kind === 'invalid' && !code.startsWith('backup_')

const report = async (error: unknown, args: readonly string[]): Promise<ExitCode> => {
  if (error instanceof CommandFailed) return EXIT.failed
  if (error instanceof UsageError) return reportUsage(error.message, args)
  // a flag without its value reaches us from yargs itself
  if (error instanceof Error && error.name === 'YError') return reportUsage(error.message, args)
  if (error instanceof AppError) {
    sayError(args, error.message, error.code)
    return isUsage(error) ? EXIT.usage : EXIT.failed
  }
  sayError(args, explainError(error), 'failed')
  return EXIT.failed
}

/** yargs reports wrong usage by a message, and a failure of a command by the error. */
const rethrow = (message: string | null, error: Error | undefined): never => {
  if (error !== undefined && error.name !== 'YError') throw error
  throw new UsageError(message ?? error?.message ?? 'The command line was not understood.')
}

const openParser = (given: readonly string[]): Argv =>
  addCommands(yargs([...given]).scriptName('svc'))
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

/** @param args without the program's own name */
export const runCommandLine = async (args: readonly string[]): Promise<ExitCode> => {
  // yargs knows bash and zsh
  if (args[0] === 'completion' && args[1] === 'fish') {
    process.stdout.write((await import('./complete.ts')).FISH_COMPLETION)
    return EXIT.ok
  }
  try {
    if (args[0] === COMPLETE) {
      const { complete } = await import('./complete.ts')
      const found = await complete(args.slice(1), readHelp)
      process.stdout.write(found.map((each) => `${each}\n`).join(''))
      return EXIT.ok
    }
    await openParser(args.length === 0 ? ['--help'] : args).parseAsync()
    return process.exitCode === EXIT.failed ? EXIT.failed : EXIT.ok
  } catch (error) {
    return await report(error, args)
  }
}
