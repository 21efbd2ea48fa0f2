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

const isOfStdin = (given: unknown): boolean => /(?:^|=)-$/.test(String(given))

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
  if ([flags.input, flags.approve, flags.event].flat().some(isOfStdin)) {
    throw new UsageError('--watch reads values again: give them as @file, and not as -.')
  }
  await readInput(flags.input)
  for (let isFirst = true; ; isFirst = false) {
    const change = nextChange('.')
    try {
      const { isStopped } = await runOnce(flags).catch((error: unknown) => {
        // no change repairs a wrong option, but a file that it names may be edited later
        if (isFirst && error instanceof UsageError) throw error
        printText(`${explainError(error, false)}\n`, process.stderr)
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
