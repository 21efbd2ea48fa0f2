/**
 * A process for code cannot start, because the machine lacks descriptors, processes, memory or disk. No code has run, so the work
 * is left to another node, or to a later time.
 */
import { AppError, unavailable } from './error.ts'

const CODE = 'machine_short'
const SYSTEM_CODES: readonly unknown[] = ['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC']

/** @param cause what the start of the process threw @throws {AppError} unavailable `machine_short`, if that is a shortage */
export const refuseIfShort = (cause: unknown): void => {
  if (!(cause instanceof Error && 'code' in cause && SYSTEM_CODES.includes(cause.code))) return
  throw unavailable(
    'This node lacks file descriptors, processes, memory or disk to run code. Try again later.',
    { code: CODE, cause },
  )
}

export const isShortage = (error: unknown): boolean =>
  error instanceof AppError && error.code === CODE
