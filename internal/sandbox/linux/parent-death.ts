/** When a guest behind bubblewrap ends with this process, whatever it is doing. */
import { setTimeout as delay } from 'node:timers/promises'
import { childrenOf, readText } from './process-tree.ts'

const LOOK_MS = 5
const LOOKS = 100

/**
 * bubblewrap's first process inside asks the kernel to be killed with the one outside, and loads its filter right after
 * that; it may come to both later than the guest comes to its work. The filter can be seen.
 * @param pid of the process outside
 */
export const untilTethered = async (pid: number): Promise<void> => {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const [inside] = childrenOf(pid)
    if (inside === undefined || /^Seccomp:\s*2/m.test(readText(`/proc/${inside}/status`))) return
    await delay(LOOK_MS)
  }
}
