/** Deletes sessions of processes that were killed, because their folders contain credentials and fetched code. */
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { SESSION_PREFIX } from './session.ts'

/** Milliseconds; far longer than any session lasts. */
const STALE_MS = 3_600_000

/** Deletes stale session folders of this user; runs at each start. @param now milliseconds since 1970 */
export const removeStaleSessions = (now: number, folder: string = tmpdir()): void => {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(SESSION_PREFIX))) {
    const path = join(folder, name)
    try {
      const { uid, mtimeMs } = lstatSync(path)
      const isOurs = process.getuid === undefined || uid === process.getuid()
      if (isOurs && now - mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true })
    } catch {
      // another node has deleted it
    }
  }
}
