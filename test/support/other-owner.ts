/** Files of the user of a service, for tests of commands that root runs. */
import { chownSync, statSync } from 'node:fs'
import process from 'node:process'

const NOBODY = 65_534

/** Gives files to another user, which only root can do. @returns the user id of their owner now */
export const giveAway = (...paths: readonly [string, ...string[]]): number => {
  if (process.getuid?.() === 0) for (const path of paths) chownSync(path, NOBODY, NOBODY)
  return statSync(paths[0]).uid
}
