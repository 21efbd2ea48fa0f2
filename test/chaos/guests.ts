/** Guest processes of a node, which run the scripts of jobs and functions, so that they can be killed and paused one by one. */
import { readFileSync } from 'node:fs'
import process from 'node:process'

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (pid: number): readonly number[] =>
  readText(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)

/** Processes without children below a node. If confined, the guest is the innermost process. */
export const guestsOf = (node: number | undefined): readonly number[] => {
  const guests: number[] = []
  const open = node === undefined ? [] : [...childrenOf(node)]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const children = childrenOf(pid)
    if (children.length === 0) guests.push(pid)
    open.push(...children)
  }
  return guests
}

/** @returns false if the process is gone */
export const signalGuest = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
