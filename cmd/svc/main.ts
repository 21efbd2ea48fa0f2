/** Entry point: runs the command line and sets the exit code. Commands load only when they are called (commands.ts). */
import process from 'node:process'
import { runCommandLine } from './command-line.ts'
import { EXIT } from './exit.ts'

// Syncs of the database run in this pool of threads (internal/store/backends/file-log.ts). The runtime's 4 could all be
// busy with password hashes and slow name servers.
// biome-ignore lint/style/noProcessEnv: the runtime reads this setting from its own environment
process.env.UV_THREADPOOL_SIZE ??= '8'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `svc config | head -1` closes the pipe early, which is not an error
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The output could not be written: ${error.message}.\n`)
  process.exit(EXIT.failed)
})
// the log is lost while its disk is full, or when its terminal or reader is gone; work must go on
process.stderr.on('error', () => undefined)

void runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
