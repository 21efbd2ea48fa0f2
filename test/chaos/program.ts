/** The program that a chaos run starts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/repository.ts'

const PATH = join(ROOT, 'dist', 'svc')

/** dist/svc, to test the product and not its source. @throws {Error} it is not built */
export const requireDistSvc = (): readonly string[] => {
  if (!existsSync(PATH)) throw new Error('dist/svc is not built. Run: make build')
  return [PATH]
}

const SETSID = '/usr/bin/setsid'

/**
 * Starts a program in its own session. Linux divides processor time by session, and each guest has one. Nodes that shared
 * the session of this run would together get as little as a single guest, and their leases would end on a busy machine.
 */
export const inOwnSession = (program: readonly string[]): readonly string[] =>
  existsSync(SETSID) ? [SETSID, ...program] : program
