/** Exit codes of svc: 0 success, 1 failure, 2 wrong usage [functions 15.8]. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A command has already printed what went wrong; nothing more is printed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** The command line is not valid; the message contains the valid form. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
