/** Ctrl-C in a command that waits for work which goes on without it. */
import process from 'node:process'
import { printText } from './print.ts'

/** The exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130

/** Waits for `work`. If a person presses Ctrl-C meanwhile, prints the sentence and ends the process. */
export const orInterrupted = async <T>(sentence: string, work: Promise<T>): Promise<T> => {
  const onInterrupt = (): void => {
    printText(`\n${sentence}\n`, process.stderr)
    process.exit(INTERRUPTED)
  }
  process.once('SIGINT', onInterrupt)
  try {
    return await work
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
