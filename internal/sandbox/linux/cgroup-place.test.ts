/** Control groups as kernels of several kinds of hosts report them, in real folders. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findCgroupPlace } from './cgroup-place.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-cgroup-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const mount = (type: string, folder: string, options: string, inner = '/'): string =>
  `31 23 0:28 ${inner} ${folder} rw,relatime - ${type} ${type} rw,${options}\n`

const folderWith = (path: string, files: Readonly<Record<string, string>> = {}): string => {
  const folder = join(root, path)
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const V2 = {
  'cgroup.controllers': 'cpu memory pids\n',
  'cgroup.subtree_control': 'memory pids\n',
  'cgroup.procs': '1\n',
}

it('one tree that bounds memory and processes below us is taken', () => {
  const folder = folderWith('v2/svc.service', V2)
  const facts = { mounts: mount('cgroup2', join(root, 'v2'), ''), own: '0::/svc.service\n', pid: 7 }
  expect(findCgroupPlace(facts)).toEqual({ version: 2, memory: folder, processes: folder })
})

it('a tree of a container is found where the mount shows it', () => {
  const folder = folderWith('v2/below', V2)
  const facts = {
    mounts: mount('cgroup2', join(root, 'v2'), '', '/docker/abc'),
    own: '0::/docker/abc/below\n',
    pid: 7,
  }
  expect(findCgroupPlace(facts)?.memory).toBe(folder)
  expect(findCgroupPlace({ ...facts, own: '0::/docker/other\n' })).toBeNull()
})

it('in a folder of its own this process moves down, so that it may bound others', () => {
  const folder = folderWith('v2/own', {
    ...V2,
    'cgroup.subtree_control': '',
    'cgroup.procs': '7\n',
  })
  const facts = { mounts: mount('cgroup2', join(root, 'v2'), ''), own: '0::/own\n', pid: 7 }
  // these are plain files, so no controller becomes enabled; without limits the folder must not count as usable
  expect(findCgroupPlace(facts)).toBeNull()
  expect(readFileSync(join(folder, 'svc-node', 'cgroup.procs'), 'utf8')).toBe('7')
  expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('+memory +pids')
})

it('a folder that others are in is left as it is', () => {
  const folder = folderWith('v2/shared', {
    ...V2,
    'cgroup.subtree_control': '',
    'cgroup.procs': '7\n8\n',
  })
  const facts = { mounts: mount('cgroup2', join(root, 'v2'), ''), own: '0::/shared\n', pid: 7 }
  expect(findCgroupPlace(facts)).toBeNull()
  expect(readFileSync(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('')
})

it('a tree for each controller is taken where the one tree bounds nothing', () => {
  folderWith('unified', { ...V2, 'cgroup.controllers': 'hugetlb\n' })
  const memory = folderWith('memory/box')
  const pids = folderWith('pids')
  const mounts =
    mount('cgroup', join(root, 'memory'), 'memory') +
    mount('cgroup', join(root, 'pids'), 'pids') +
    mount('cgroup2', join(root, 'unified'), '')
  const own = '8:pids:/\n4:memory:/box\n0::/\n'
  expect(findCgroupPlace({ mounts, own, pid: 7 })).toEqual({
    version: 1,
    memory,
    processes: pids,
  })
  expect(findCgroupPlace({ mounts, own: '8:pids:/gone\n4:memory:/box\n', pid: 7 })).toEqual({
    version: 1,
    memory,
    processes: null,
  })
})

it.each([
  ['', ''],
  ['not a mount\n', '0::/\n'],
])('where there is nothing, nothing is found', (mounts, own) => {
  expect(findCgroupPlace({ mounts, own, pid: 7 })).toBeNull()
})
