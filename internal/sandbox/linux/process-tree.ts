/** Reads the state of a process and its descendants from /proc. */
import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4_096

/** Empty if the file does not exist or is not readable for us. */
export const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Leaves out file-backed pages: the runtime's own code is mapped and shared by all guests. */
const bytesOfOne = (pid: number): number => {
  const [, resident = '0', shared = '0'] = readText(`/proc/${pid}/statm`).split(' ')
  return (Number(resident) - Number(shared)) * PAGE_BYTES
}

/** The ids of the direct children of a process; empty where the system has no /proc. */
export const childrenOf = (pid: number): readonly number[] => {
  const text = readText(`/proc/${pid}/task/${pid}/children`).trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Resident bytes of the process and its descendants; 0 where the system has no /proc. */
export const residentBytes = (pid: number | null): number => {
  let total = 0
  const open = pid === null ? [] : [pid]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    total += bytesOfOne(next)
    open.push(...childrenOf(next))
  }
  return total
}

/** The tick length that USER_HZ gives, which is the same on every Linux. */
const MS_PER_TICK = 10
// fields after the name, which may hold anything; utime and stime are fields 14 and 15 of the whole line
const [USER_TIME, SYSTEM_TIME] = [11, 12] as const

/** Processor time of a process and its threads in milliseconds; 0 where the system has no /proc. */
export const processorMs = (pid: number | null): number => {
  const text = readText(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TIME] ?? 0) + Number(fields[SYSTEM_TIME] ?? 0)) * MS_PER_TICK
}

const descendant = (pid: number, generations: number): number | null => {
  if (generations === 0) return pid
  const [child] = childrenOf(pid)
  return child === undefined ? null : descendant(child, generations - 1)
}

/**
 * Creates a function that returns the id of the process that runs user code, or null while there is none.
 * @param generations how many generations below `pid` that process is
 */
export const createRuntimePid = (
  pid: number | null,
  generations: number,
): (() => number | null) => {
  let found: number | null = null
  return () => {
    if (pid !== null) found ??= descendant(pid, generations)
    return found
  }
}
