/** Gives complete files their names. */
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { flush } from './flush.ts'

/**
 * Gives a complete file the name `path`, unless that name exists, and makes the content and the name durable. Disks without hard
 * links, such as exFAT and many network shares, rename it instead: there, a file that gets the name at this moment is replaced.
 * @throws {Error} the name exists, or the system refuses; the error has its `code` and `path`
 */
export const publishFile = (draft: string, path: string): void => {
  flush(draft)
  try {
    linkSync(draft, path)
    rmSync(draft)
  } catch (error) {
    // each system has its own code for a disk without links
    if (existsSync(path)) throw error
    renameSync(draft, path)
  }
  flush(dirname(resolve(path)))
}
