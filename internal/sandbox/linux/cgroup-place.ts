/**
 * Finds where this process may create control groups for its guests, from /proc. Hosts differ: they have one tree
 * for all controllers (v2), one tree per controller (v1), both, or none that this user may write to.
 */
import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export type CgroupPlace = Readonly<{
  version: 1 | 2
  memory: string
  /** Null if no controller counts processes. In v2, the same folder as `memory`. */
  processes: string | null
}>

type Mount = Readonly<{ root: string; folder: string; type: string; options: readonly string[] }>

/** @param text of /proc/self/mountinfo */
const parseMounts = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ')
    const [, , , root, folder] = before.split(' ')
    const [type = '', , options = ''] = after.split(' ')
    if (root === undefined || folder === undefined || !type.startsWith('cgroup')) return []
    return [{ root, folder, type, options: options.split(',') }]
  })

/** @param text of /proc/self/cgroup @param controller '' for the unified tree */
const pathOf = (text: string, controller: string): string | null => {
  for (const line of text.split('\n')) {
    const [, controllers, ...rest] = line.split(':')
    if (controllers?.split(',').includes(controller) === true) return rest.join(':')
  }
  return null
}

/** @returns null if the path is not visible in the mount */
const folderOf = ({ root, folder }: Mount, path: string): string | null => {
  if (root === '/') return resolve(join(folder, path))
  return path === root || path.startsWith(`${root}/`)
    ? resolve(join(folder, path.slice(root.length)))
    : null
}

const isWritable = (folder: string | null): folder is string => {
  try {
    if (folder === null) return false
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

export type CgroupFacts = Readonly<{ mounts: string; own: string; pid: number }>

const findVersion1 = ({ mounts, own }: CgroupFacts): CgroupPlace | null => {
  const placeOf = (controller: string): string | null => {
    const mount = parseMounts(mounts).find(
      ({ type, options }) => type === 'cgroup' && options.includes(controller),
    )
    const path = pathOf(own, controller)
    const folder = mount === undefined || path === null ? null : folderOf(mount, path)
    return isWritable(folder) ? folder : null
  }
  const memory = placeOf('memory')
  return memory === null ? null : { version: 1, memory, processes: placeOf('pids') }
}

const words = (path: string): readonly string[] => readFileSync(path, 'utf8').split(/\s+/)

const WANTED = ['memory', 'pids'] as const

/** A group that holds processes cannot limit groups below it, so this process first moves down, if it is the only one there. */
const enableBelow = (folder: string, pid: number): boolean => {
  const control = join(folder, 'cgroup.subtree_control')
  const hasAll = (): boolean => WANTED.every((name) => words(control).includes(name))
  if (hasAll()) return true
  const others = words(join(folder, 'cgroup.procs')).filter((id) => id !== '' && id !== String(pid))
  if (others.length > 0) return false
  const node = join(folder, 'svc-node')
  mkdirSync(node, { recursive: true })
  writeFileSync(join(node, 'cgroup.procs'), String(pid))
  writeFileSync(control, WANTED.map((name) => `+${name}`).join(' '))
  return hasAll()
}

const findVersion2 = ({ mounts, own, pid }: CgroupFacts): CgroupPlace | null => {
  const mount = parseMounts(mounts).find(({ type }) => type === 'cgroup2')
  const path = pathOf(own, '')
  const folder = mount === undefined || path === null ? null : folderOf(mount, path)
  if (!isWritable(folder)) return null
  try {
    const offered = words(join(folder, 'cgroup.controllers'))
    if (!WANTED.every((name) => offered.includes(name)) || !enableBelow(folder, pid)) return null
  } catch {
    // delegated only in part, or used by other processes: memory is still limited by the usage watch
    return null
  }
  return { version: 2, memory: folder, processes: folder }
}

/** @returns null if no control group on this host can limit guests */
export const findCgroupPlace = (facts: CgroupFacts): CgroupPlace | null =>
  findVersion2(facts) ?? findVersion1(facts)
