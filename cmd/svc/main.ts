/** Entry point: runs the command line and sets the exit code. Commands load only when they are called (commands.ts). */
import process from 'node:process'
import { runCommandLine } from './command-line.ts'

// `svc config | head -1` closes the pipe early, which is not an error
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
// `svc run hello/greet --wait 2>&1 >result | head -1` closes only the log
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

void runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
