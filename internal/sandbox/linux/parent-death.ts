/** Waits until the kernel is set to kill a guest of bubblewrap when this process dies. */
import { setTimeout as delay } from 'node:timers/promises'
import { childrenOf, readText } from './process-tree.ts'

const POLL_MS = 5
const MAX_POLLS = 100

/**
 * bubblewrap's first process inside requests the parent-death signal and then immediately loads its system call filter. Both
 * may happen after the guest has started its work. Only the filter is visible in /proc, so this waits for the filter.
 * @param pid the bubblewrap process outside the namespaces
 */
export const untilDiesWithParent = async (pid: number): Promise<void> => {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const [inside] = childrenOf(pid)
    if (inside === undefined || /^Seccomp:\s*2/m.test(readText(`/proc/${inside}/status`))) return
    await delay(POLL_MS)
  }
}
