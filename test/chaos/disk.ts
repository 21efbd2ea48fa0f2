/**
 * The disk of the database of a run: a tmpfs whose size is reduced and restored, and a shared object that delays fsync.
 * Each works only if this machine allows it; otherwise it is left out of the run and named.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

export type Disk = Readonly<{
  /** The folder for the database, or null for any. */
  path: string | null
  /** Null if no disk can be mounted here. */
  full: DiskFault | null
  /** Null if there is no C compiler here. */
  slow: DiskFault | null
  /** Environment variables of a node with which its disk can be slow. */
  env: Readonly<Record<string, string>>
  close: () => void
}>

export type DiskFault = Readonly<{ begin: () => void; end: () => void }>

const SIZE = '2g'

const run = (command: string, args: readonly string[]): void => {
  execFileSync(command, args, { stdio: 'ignore' })
}

const mountDisk = (): string | null => {
  if (process.getuid?.() !== 0) return null
  const path = mkdtempSync(join(tmpdir(), 'svc-chaos-disk-'))
  try {
    run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', path])
    return path
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
}

const resize = (path: string, size: string): void => {
  run('mount', ['-o', `remount,size=${size}`, path])
}

/** Reduces the size to what is in use, because a smaller size would be refused. */
const shrink = (path: string): void => {
  for (let spare = 16; spare <= 4_096; spare *= 4) {
    const { blocks, bfree, bsize } = statfsSync(path)
    try {
      resize(path, String((blocks - bfree + spare) * bsize))
      return
    } catch {
      // a node has written meanwhile
    }
  }
}

const compileSlowDisk = (folder: string): string | null => {
  const object = join(folder, 'slow-disk.so')
  const source = join(import.meta.dirname, 'slow-disk.c')
  try {
    run('cc', ['-shared', '-fPIC', '-O1', '-o', object, source, '-ldl'])
    return object
  } catch {
    return null
  }
}

export const openDisk = (): Disk => {
  const path = mountDisk()
  const folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'))
  const slowDisk = compileSlowDisk(folder)
  const mark = join(folder, 'slow')
  return {
    path,
    full: path === null ? null : { begin: () => shrink(path), end: () => resize(path, SIZE) },
    slow:
      slowDisk === null
        ? null
        : { begin: () => writeFileSync(mark, ''), end: () => rmSync(mark, { force: true }) },
    env: slowDisk === null ? {} : { LD_PRELOAD: slowDisk, CHAOS_SLOW_DISK: mark },
    close: () => {
      if (path !== null) {
        run('umount', ['--lazy', path])
        rmSync(path, { recursive: true, force: true })
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
