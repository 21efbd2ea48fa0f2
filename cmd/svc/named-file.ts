/** Names the folder where a person gave one instead of a file: the system's error of reading a folder has no path. */
import { statSync } from 'node:fs'
import { invalid } from '#core/error.ts'

/** @returns the path as it is @throws {AppError} invalid: it is a folder */
export const namedFile = (path: string): string => {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path
  throw invalid(`${path} is a folder. Name a file.`)
}
