/**
 * Where git keeps the objects of one push until it accepts them. git itself would keep them among those of other pushes, under a random
 * name, and leaves them there if it is killed. So each push has a folder of its own, whose packs are those of the repository.
 */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#disk/make-folder.ts'
import { makeSessionFolder, removeLeftSessions } from './session-folder.ts'

export type PushObjects = Readonly<{
  /** What git takes for the objects of the repository. */
  folder: string
  /** Deletes what git has not accepted. */
  remove: () => void
}>

/** Opens the folder of a push, and deletes those of killed processes. @throws {Error} the disk is full */
export const openPushObjects = (repository: string): PushObjects => {
  const place = join(repository, 'pushes')
  makeFolder(place, 0o700)
  removeLeftSessions(place)
  const folder = makeSessionFolder(place)
  symlinkSync(join(repository, 'objects', 'pack'), join(folder, 'pack'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
