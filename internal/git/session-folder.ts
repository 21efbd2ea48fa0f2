/** The folder of one git operation, which contains credentials and fetched code. */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { processFolders } from '#disk/process-folders.ts'

const folders = processFolders('svc-git')

/** Creates a folder with mode 0700. @throws {Error} the temporary folder of this machine is full or not writable */
export const makeSessionFolder = (place: string = tmpdir()): string => folders.make(place)

/** Removes the folders that killed processes of this user left; runs at each start. */
export const removeLeftSessions = (
  place: string = tmpdir(),
  user: number | undefined = process.getuid?.(),
): void => {
  for (const path of folders.listLeft(place, user)) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // another node has removed it
    }
  }
}
