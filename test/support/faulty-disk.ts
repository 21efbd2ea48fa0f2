/**
 * A folder on a simulated disk that loses what was not synced and fails on request, for a process that is started with its
 * environment (faulty-disk.c, compiled once per process; `make test-tools` installs the compiler).
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'

const SOURCE = resolve(import.meta.dirname, 'faulty-disk.c')

/** `no-files`: the disk has room for data and for no more files. `no-links`: it has no hard links, as exFAT. */
export type DiskFault = 'full' | 'failing' | 'failing-sync' | 'read-only' | 'no-files' | 'no-links'

export type FaultyDisk = Readonly<{
  env: Readonly<Record<string, string>>
  fail: (fault: DiskFault) => void
  heal: () => void
  /** Counts the content of the folder as synced, as after a while without writes, when the kernel has written it back. */
  settle: () => void
  /** Simulates a power cut: the folder holds what was synced. The process must be dead. */
  forget: () => void
  /** Removes the files of the disk itself, but not the folder. */
  remove: () => void
}>

const compile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-library-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const library = join(folder, 'faulty-disk.so')
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl'])
  } catch (error) {
    throw new Error('faulty-disk.c was not compiled. Install the compiler: make test-tools', {
      cause: error,
    })
  }
  return library
}

/** The compiled library of this process. */
let compiled: string | undefined

/** @param root the folder, whose current content counts as synced */
export const openFaultyDisk = (root: string): FaultyDisk => {
  compiled ??= compile()
  const library = compiled
  const folder = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  const synced = join(folder, 'synced')
  const fault = join(folder, 'fault')
  const settle = (): void => {
    rmSync(synced, { recursive: true, force: true })
    cpSync(root, synced, { recursive: true })
  }
  settle()
  return {
    settle,
    env: {
      LD_PRELOAD: library,
      DISK_ROOT: realpathSync(root),
      DISK_SYNCED: synced,
      DISK_FAULT: fault,
    },
    fail: (word) => writeFileSync(fault, word),
    heal: () => rmSync(fault, { force: true }),
    forget: () => {
      rmSync(root, { recursive: true, force: true })
      // a copy that the death of the process interrupted does not have its name yet
      cpSync(synced, root, { recursive: true, filter: (path) => !path.endsWith('~') })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
