/** Reads CPU and memory of a process and its descendants from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_A_SECOND = 100
const PAGE_MB = 4_096 / 1_048_576

type Stat = Readonly<{ pid: number; parent: number; cpuS: number; rssMb: number; peakMb: number }>

/** VmHWM: the most memory that the process ever held. */
const readPeakMb = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1_024
}

const readStat = (pid: number): Stat | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // the name may contain spaces and brackets, but what follows its last bracket does not
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const field = (number: number): number => fields[number - 3] ?? 0
    const cpuS = (field(14) + field(15)) / TICKS_A_SECOND
    return { pid, parent: field(4), cpuS, rssMb: field(24) * PAGE_MB, peakMb: readPeakMb(pid) }
  } catch {
    return null
  }
}

const isStat = (stat: Stat | null): stat is Stat => stat !== null

const treeOf = (root: number): readonly Stat[] => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter(isStat)
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

export type Usage = Readonly<{ cpuS: number; rssMb: number; peakMb: number; processes: number }>

/** Does not include processes that have already ended. */
export const usageOf = (root: number): Usage => {
  const tree = treeOf(root)
  const sum = (pick: (stat: Stat) => number): number =>
    tree.reduce((total, stat) => total + pick(stat), 0)
  return {
    cpuS: sum(({ cpuS }) => cpuS),
    rssMb: sum(({ rssMb }) => rssMb),
    peakMb: sum(({ peakMb }) => peakMb),
    processes: tree.length,
  }
}

/** Only of the root process. */
export const ownUsageOf = (root: number): Usage => {
  const stat = readStat(root)
  const { cpuS, rssMb, peakMb } = stat ?? { cpuS: 0, rssMb: 0, peakMb: 0 }
  return { cpuS, rssMb, peakMb, processes: stat === null ? 0 : 1 }
}

/** Bytes that the root process and its descendants have sent to a disk. */
export const writtenBytes = (root: number): number =>
  treeOf(root).reduce((total, { pid }) => {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8')
    return total + Number(/^write_bytes: (\d+)$/m.exec(text)?.[1] ?? 0)
  }, 0)
