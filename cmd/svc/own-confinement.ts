/** The walls around programs of this node that handle strangers' bytes: readers of documents, the bundler, git. */
import { join } from 'node:path'
import { type Fence, openFence } from '#confine/confine.ts'
import { openCacheFolder } from '#platform/cache-folder.ts'

let opened: Fence | undefined

/** One for the process: whether walls can be built is tried once. */
export const ownFence = (): Fence => {
  opened ??= openFence(join(openCacheFolder(), 'guest'))
  return opened
}
