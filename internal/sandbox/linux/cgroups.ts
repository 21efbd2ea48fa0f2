/**
 * Creates a control group for each guest, where the machine allows it. The kernel then counts all memory of
 * the guest, kills it when it grows faster than the usage watch polls, and limits its threads.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type CgroupPlace, findCgroupPlace } from './cgroup-place.ts'
import type { GuestCgroup } from './guest-cgroup.ts'
import { readText } from './process-tree.ts'

export type OpenedCgroup = Readonly<{
  group: GuestCgroup
  /** A process joins by writing 0 to each of these files. */
  joins: readonly string[]
}>

export interface Cgroups {
  readonly version: 1 | 2
  /** @throws {Error} the kernel refuses to create a group */
  open(memoryBytes: number): OpenedCgroup
}

/** The limit counts threads: a runtime has a dozen, and each worker thread of a job adds some. */
const MAX_PROCESSES = '256'
const PREFIX = 'svc-guest-'
const REMOVE_RETRIES_MS = [50, 500, 5_000] as const

/** For files that not every kernel has. */
const writeIfThere = (path: string, text: string): void => {
  try {
    writeFileSync(path, text)
  } catch {
    // there is no swap, or the kernel does not count it
  }
}

const limitMemory: Readonly<Record<1 | 2, (folder: string, bytes: string) => void>> = {
  1: (folder, bytes) => {
    writeFileSync(join(folder, 'memory.limit_in_bytes'), bytes)
    writeIfThere(join(folder, 'memory.memsw.limit_in_bytes'), bytes)
  },
  2: (folder, bytes) => {
    writeFileSync(join(folder, 'memory.max'), bytes)
    writeIfThere(join(folder, 'memory.swap.max'), '0')
    writeIfThere(join(folder, 'memory.oom.group'), '1')
  },
}
const EVENTS = { 1: 'memory.oom_control', 2: 'memory.events' } as const

/** A group can be removed only after its last process has ended, which may be a moment after the guest. */
const removeSoon = (
  folder: string,
  [after, ...later]: readonly number[] = REMOVE_RETRIES_MS,
): void => {
  try {
    rmdirSync(folder)
  } catch {
    if (after !== undefined) setTimeout(() => removeSoon(folder, later), after).unref()
  }
}

/** @param pid 0 for a process of another namespace; a signal to 0 would end this process */
const endOrphan = (pid: number): void => {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // it has already ended
  }
}

/** Removes groups whose host was killed. */
const sweep = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^svc-guest-(\d+)-[\da-f]+$/.exec(name) ?? []
    if (pid === undefined || readText(`/proc/${pid}/stat`) !== '') continue
    for (const left of readText(join(folder, name, 'cgroup.procs')).split('\n')) {
      endOrphan(Number(left))
    }
    removeSoon(join(folder, name))
  }
}

/** Removes what killed hosts have left in the place, and creates groups there. */
export const createCgroups = ({ version, memory, processes }: CgroupPlace): Cgroups => {
  const parents = [...new Set([memory, ...(processes === null ? [] : [processes])])]
  for (const folder of parents) sweep(folder)

  const open = (memoryBytes: number): OpenedCgroup => {
    // a killed host may have had this process id, and the place may be opened twice
    const name = `${PREFIX}${process.pid}-${randomBytes(8).toString('hex')}`
    const folders = parents.map((parent) => join(parent, name))
    const own = join(memory, name)
    const remove = (): void => {
      for (const folder of folders) removeSoon(folder)
    }
    try {
      for (const folder of folders) mkdirSync(folder)
      limitMemory[version](own, String(memoryBytes))
      if (processes !== null) writeFileSync(join(processes, name, 'pids.max'), MAX_PROCESSES)
    } catch (error) {
      remove()
      throw error
    }
    return {
      joins: folders.map((folder) => join(folder, 'cgroup.procs')),
      group: {
        hasEndedForMemory: () => /^oom_kill [1-9]/m.test(readText(join(own, EVENTS[version]))),
        remove,
      },
    }
  }
  return { version, open }
}

/** @returns null if svc may not create control groups on this machine */
export const openCgroups = (): Cgroups | null => {
  const place = findCgroupPlace({
    mounts: readText('/proc/self/mountinfo'),
    own: readText('/proc/self/cgroup'),
    pid: process.pid,
  })
  return place === null ? null : createCgroups(place)
}
