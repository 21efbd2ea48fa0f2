/** Prints work that a job or function has started on this machine, once it has ended. */
import type { LocalStarted } from '#project/local-starts.ts'
import { coloured, printLine, statusText } from './print.ts'

export const printStarted = ({ what, outcome, log, ms }: LocalStarted): void => {
  const result = outcome.kind === 'success' ? outcome.value : outcome.error
  const took = coloured('dim', `${ms} ms`)
  printLine(
    `${statusText(outcome.kind)}  ${coloured('bold', what)}  ${JSON.stringify(result)}  ${took}`,
  )
  for (const line of log.split('\n')) if (line !== '') printLine(`    ${coloured('dim', line)}`)
}

/** The JSON form. */
export const startedView = ({ id, what, outcome, log, ms }: LocalStarted) => ({
  id,
  what,
  status: outcome.kind,
  result: outcome.kind === 'success' ? outcome.value : outcome.error,
  log,
  duration_ms: ms,
})
