/** Reads the state of a process and of all that it started from /proc. */
import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4_096

/** Empty for what is not there or not ours to read. */
export const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Without the pages of files: the runtime's own text is mapped, and shared by all. */
const bytesOfOne = (pid: number): number => {
  const [, resident = '0', shared = '0'] = readText(`/proc/${pid}/statm`).split(' ')
  return (Number(resident) - Number(shared)) * PAGE_BYTES
}

/** The ids of the direct children of a process; none where the system has no /proc. */
export const childrenOf = (pid: number): readonly number[] => {
  const text = readText(`/proc/${pid}/task/${pid}/children`).trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Bytes of the process and of all that it started, or 0 where the system has no /proc. */
export const residentBytes = (pid: number | null): number => {
  let total = 0
  const open = pid === null ? [] : [pid]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    total += bytesOfOne(next)
    open.push(...childrenOf(next))
  }
  return total
}

/** USER_HZ, which every Linux has set to this. */
const MS_PER_TICK = 10
// counted from behind the name, which may hold anything: utime and stime are the 14th and 15th of all
const [USER_TIME, SYSTEM_TIME] = [11, 12] as const

/** Processor time that a process and its threads have used, 0 where the system has no /proc. */
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
 * Returns a function that finds the process that runs user code, null while there is none.
 * @param generations between it and `pid`
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
