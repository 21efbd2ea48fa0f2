/** `--watch` of commands that run a part of this folder's app. */
import process from 'node:process'
import { nextChange } from '#project/next-change.ts'
import { CommandFailed, UsageError } from './exit.ts'
import { explainError } from './explain-error.ts'
import { readInput } from './input.ts'
import { coloured, type Flags, printText } from './print.ts'

export const watchOption = {
  type: 'boolean',
  default: false,
  describe: 'Run it again after each change of a file',
} as const

/** How a run has ended; `isStopped` if by Ctrl-C. */
export type RunEnd = Readonly<{ hasFailed: boolean; isStopped: boolean }>

/**
 * Runs once, or with `--watch` again after each change of the folder until Ctrl-C. Then faults are printed, because the next
 * change may repair them.
 * @throws {CommandFailed} the run has failed, or Ctrl-C ended the watch
 */
export const runOnChanges = async (
  flags: Flags,
  runOnce: (flags: Flags) => Promise<RunEnd>,
): Promise<void> => {
  if (flags.watch !== true) {
    if ((await runOnce(flags)).hasFailed) throw new CommandFailed()
    return
  }
  if (flags.input === '-') throw new UsageError('--watch needs the input again: give it as @file.')
  await readInput(flags.input)
  for (;;) {
    const change = nextChange('.')
    try {
      const { isStopped } = await runOnce(flags).catch((error: unknown) => {
        printText(`${explainError(error)}\n`, process.stderr)
        return { isStopped: false }
      })
      if (isStopped) throw new CommandFailed()
      printText(coloured('dim', 'Waiting for a change. Ctrl-C ends.\n'), process.stderr)
      printText(`${coloured('cyan', '↻')} ${await change.path}\n`, process.stderr)
    } finally {
      change.stop()
    }
  }
}
