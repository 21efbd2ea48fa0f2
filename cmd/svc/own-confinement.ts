/** The walls around programs of this node that handle strangers' bytes: readers of documents, the bundler, git. */
import { join } from 'node:path'
import { type Confine, createConfine } from '#confine/confine.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'

let opened: Confine | undefined

/** One for the process: whether walls can be built is tried once. */
export const ownConfine = (): Confine => {
  opened ??= createConfine(join(openCacheFolder(), 'guest'))
  return opened
}
