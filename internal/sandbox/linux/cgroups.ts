/**
 * A control group for each guest, where the host allows it: the kernel then counts its memory, all of it, and stops what
 * grows faster than anybody looks; and it counts its threads.
 */
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type CgroupPlace, findCgroupPlace } from './cgroup-place.ts'
import type { GuestGroup } from './guest-cgroup.ts'
import { readText } from './process-tree.ts'

export type OpenedGroup = Readonly<{
  group: GuestGroup
  /** A process joins by writing 0 to each. */
  joins: readonly string[]
}>

export interface Cgroups {
  readonly version: 1 | 2
  /** @throws {Error} the kernel refuses another */
  open(memoryBytes: number): OpenedGroup
}

/** Threads too: a runtime has a dozen, and each worker of a job some. */
const MOST_PROCESSES = '256'
const PREFIX = 'svc-guest-'
const REMOVE_AGAIN_MS = [50, 500, 5_000] as const

/** What a kernel may be built without. */
const writeIfThere = (path: string, text: string): void => {
  try {
    writeFileSync(path, text)
  } catch {
    // swap is then counted by nobody, or not there
  }
}

const bound: Readonly<Record<1 | 2, (folder: string, bytes: string) => void>> = {
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

/** A group goes only when its last process is gone, which may be a moment after the guest's end. */
const removeSoon = (
  folder: string,
  [after, ...later]: readonly number[] = REMOVE_AGAIN_MS,
): void => {
  try {
    rmdirSync(folder)
  } catch {
    if (after !== undefined) setTimeout(() => removeSoon(folder, later), after).unref()
  }
}

const endOrphan = (pid: string): void => {
  try {
    if (pid !== '') process.kill(Number(pid), 'SIGKILL')
  } catch {
    // it has ended meanwhile
  }
}

/** What killed hosts left behind. */
const sweep = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^svc-guest-(\d+)-\d+$/.exec(name) ?? []
    if (pid === undefined || readText(`/proc/${pid}/stat`) !== '') continue
    for (const left of readText(join(folder, name, 'cgroup.procs')).split('\n')) endOrphan(left)
    removeSoon(join(folder, name))
  }
}

const createCgroups = ({ version, memory, processes }: CgroupPlace): Cgroups => {
  let made = 0
  const parents = [...new Set([memory, ...(processes === null ? [] : [processes])])]
  for (const folder of parents) sweep(folder)

  const open = (memoryBytes: number): OpenedGroup => {
    made += 1
    const name = `${PREFIX}${process.pid}-${made}`
    const folders = parents.map((parent) => join(parent, name))
    for (const folder of folders) mkdirSync(folder)
    const own = join(memory, name)
    bound[version](own, String(memoryBytes))
    if (processes !== null) writeFileSync(join(processes, name, 'pids.max'), MOST_PROCESSES)
    return {
      joins: folders.map((folder) => join(folder, 'cgroup.procs')),
      group: {
        hasEndedForMemory: () => /^oom_kill [1-9]/m.test(readText(join(own, EVENTS[version]))),
        remove: () => {
          for (const folder of folders) removeSoon(folder)
        },
      },
    }
  }
  return { version, open }
}

/** Null: this host has none for us. */
export const openCgroups = (): Cgroups | null => {
  const place = findCgroupPlace({
    mounts: readText('/proc/self/mountinfo'),
    own: readText('/proc/self/cgroup'),
    pid: process.pid,
  })
  return place === null ? null : createCgroups(place)
}
