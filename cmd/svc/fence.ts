/** The walls around programs of this node that handle strangers' bytes: readers of documents, the bundler, git. */
import { join } from 'node:path'
import { openCacheFolder } from '#platform/cache-folder.ts'
import { type Fence, openFence } from '#sandbox/walls/fence.ts'

let opened: Fence | undefined

/** One for the process: whether walls can be built is tried once. */
export const ownFence = (): Fence => {
  opened ??= openFence(join(openCacheFolder(), 'guest'))
  return opened
}
