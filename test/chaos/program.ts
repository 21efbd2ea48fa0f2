/** What a chaos run starts. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const PATH = join(ROOT, 'dist', 'svc')

/** The product, not its source. @throws {Error} it is not built */
export const requireDistSvc = (): readonly string[] => {
  if (!existsSync(PATH)) throw new Error('dist/svc is not built. Run: make build')
  return [PATH]
}

const SETSID = '/usr/bin/setsid'

/**
 * Starts a program in a session of its own. Linux shares the processor out by sessions, and each guest has one: nodes that shared
 * the one of this run would get as little together as a single guest, and their leases would run out on a busy machine.
 */
export const inOwnSession = (program: readonly string[]): readonly string[] =>
  existsSync(SETSID) ? [SETSID, ...program] : program
