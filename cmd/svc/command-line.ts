/** Reads the command line and runs the command it names. */
import process from 'node:process'
import yargs from 'yargs'
import { AppError } from '#core/error.ts'
import { addCommands } from './commands.ts'
import { CommandFailed, EXIT, type ExitCode, UsageError } from './exit.ts'
import { VERSION } from './version.ts'

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** A slip in svc itself, not a fault outside: the stack helps whoever mends it. */
const isBug = (error: Error): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError

const report = (error: unknown): ExitCode => {
  if (error instanceof CommandFailed) return EXIT.failed
  if (error instanceof UsageError) {
    say(`${error.message}\nSee \`svc --help\`.`)
    return EXIT.usage
  }
  if (error instanceof AppError) {
    say(error.message)
    return error.code === 'bad_settings' ? EXIT.usage : EXIT.failed
  }
  const known = error instanceof Error ? error : new Error(String(error))
  say(isBug(known) ? `svc failed: ${known.stack ?? known.message}` : known.message)
  return EXIT.failed
}

/** yargs tells wrong usage by a message and a command's own failure by the error. */
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
    .demandCommand(1, 'Which command?')
    .recommendCommands()
    .showHelpOnFail(false)
    .exitProcess(false)
    .wrap(Math.min(process.stdout.columns ?? 80, 100))
    .fail(rethrow)
  try {
    await parser.parseAsync()
    return process.exitCode === EXIT.failed ? EXIT.failed : EXIT.ok
  } catch (error) {
    return report(error)
  }
}
