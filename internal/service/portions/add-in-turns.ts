/** Adds many files to those of an app. Each takes about 10 µs to check, and an app may have fifty thousand. */
import type { FileCollector } from '#bundle/app-files.ts'
import { takeTurn } from './take-turn.ts'

const FILES_PER_TURN = 500

/** @throws {AppError} unprocessable: a path or amount is not allowed */
export const addInTurns = async (
  { add }: Pick<FileCollector, 'add'>,
  files: Iterable<readonly [path: string, bytes: Uint8Array]>,
): Promise<void> => {
  let added = 0
  for (const [path, bytes] of files) {
    add(path, bytes)
    added += 1
    if (added % FILES_PER_TURN === 0) await takeTurn()
  }
}
