/** Creates the folders that settings and people name. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const makeOne = (folder: string, mode: number): void => {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

const isMissingAbove = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/**
 * Creates a folder and its parents, unless they exist. Node's own `mkdir` with `recursive` never returns if the system
 * refuses to create a folder in an existing one, as in /proc.
 * @param mode of the created folders
 * @throws {Error} the system refuses; the error has its `code` and `path`
 */
export const makeFolder = (path: string, mode = 0o777): void => {
  const folder = resolve(path)
  const parent = dirname(folder)
  try {
    makeOne(folder, mode)
    return
  } catch (error) {
    if (!isMissingAbove(error) || isFolder(parent)) throw error
  }
  makeFolder(parent, mode)
  makeOne(folder, mode)
}
