/** Kills a guest and all processes that it started. */
import type { ChildProcessByStdio } from 'node:child_process'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { childrenOf } from './process-tree.ts'

export type Child = ChildProcessByStdio<Writable, Readable, null>

/** How long bubblewrap's outer process may take to notice that its namespace is gone, in milliseconds. */
const NOTICE_MS = 500

const killGroup = (child: Child): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // the group is gone, or this platform has none
    child.kill('SIGKILL')
  }
}

const killOne = (pid: number): boolean => {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Like `killTree`, for callers that have only the process id. */
export const killByPid = ({
  pid,
  isHidden,
}: Readonly<{ pid: number; isHidden: boolean }>): void => {
  const [inside] = isHidden ? childrenOf(pid) : []
  if (inside !== undefined && killOne(inside)) return
  // kill its process group, or the process alone where there are no groups
  if (!killOne(-pid)) killOne(pid)
}

/**
 * @param isHidden whether the guest has its own process namespace. Then only the first process inside is
 * killed, which ends all others. Its parent stays alive to reap it, so that no zombie is left.
 */
export const killTree = (child: Child, isHidden: boolean): void => {
  const [inside] = isHidden && child.pid !== undefined ? childrenOf(child.pid) : []
  if (inside === undefined || !killOne(inside)) {
    killGroup(child)
    return
  }
  const timer = setTimeout(() => killGroup(child), NOTICE_MS)
  timer.unref()
  child.once('exit', () => clearTimeout(timer))
}
