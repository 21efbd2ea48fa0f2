/**
 * The operating system's walls around programs of our own that handle strangers' bytes: readers of documents, the
 * bundler, git. What they need is named; the rest of the machine is not there. Where walls cannot be built they run as
 * before, under the limits that their own rooms set.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import {
  type Bind,
  bubblewrapFault,
  findProgram,
  bubblewrapArgs,
} from '#sandbox/linux/bubblewrap-args.ts'
import { isOpenToOthers, isReadableByOthers } from '#sandbox/linux/process-identity.ts'
import { childrenOf } from '#sandbox/linux/process-tree.ts'
import { writeRuntimeFile } from '#sandbox/linux/runtime-file.ts'
import { seccompFilter } from '#sandbox/linux/seccomp-filter.ts'
import { ARCHITECTURES } from '#sandbox/linux/system-calls.ts'
import { type Identity, SETPRIV } from '#sandbox/linux/wrap-command.ts'

export type Program = Readonly<{
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
}>

export type ConfineNeeds = Readonly<{
  /** Files and folders that it reads, at their own paths. */
  reads: readonly string[]
  /** Folders of its own, which become its user's. @default none */
  writes?: readonly string[]
  /** @default false */
  network?: boolean
  /** Whether it starts others. @default false */
  processes?: boolean
}>

export type ConfinedProgram = Program &
  Readonly<{
    /** Ends it and all that it started. */
    end: (pid: number) => void
  }>

/** Null: this machine has no walls for it. */
export type Confine = (program: Program, needs: ConfineNeeds) => ConfinedProgram | null

/** Not the user of jobs: what these programs hold, a job whose walls have fallen is not to have. Nobody's number, too. */
const APART: Identity = { uid: 65_533, gid: 65_533 }
const FILTER_DESCRIPTOR = 9
const TEMPORARY_MB = 256
/** The descriptor is opened anew by each start: its offset is shared. */
const OPEN_FILTER = `exec "$@" ${FILTER_DESCRIPTOR}<"$0"`

const endConfined = (pid: number): void => {
  // the first process of its namespace: what started it lives to see that
  const [inside = pid] = childrenOf(pid)
  try {
    process.kill(inside, 'SIGKILL')
  } catch {
    // it has ended by itself
  }
}

/**
 * Once, before the program first runs in it: what it makes later is its own already, and may be links to anywhere. No link
 * is followed, which the system's own recursive listing would do.
 */
const giveTo = (identity: Identity, folder: string): void => {
  if (lstatSync(folder).uid === identity.uid) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveTo(identity, path)
    else lchownSync(path, identity.uid, identity.gid)
  }
  lchownSync(folder, identity.uid, identity.gid)
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

/** Whether the user without rights can run and read what it needs. */
const isWithinReach = (command: string, reads: readonly string[]): boolean =>
  [command, ...reads].every(isThere) && isOpenToOthers(command) && reads.every(isReadableByOthers)

/** A trial with the smallest program there is. */
const works = (bwrap: string, become: readonly string[], env: Program['env']): boolean => {
  const confinement = { binds: USR, env, temporaryMb: 1, command: ['/usr/bin/true'] }
  try {
    const [command = '', ...args] = [...become, bwrap, ...bubblewrapArgs(confinement)]
    execFileSync(command, args, { stdio: 'ignore', env: {}, timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

/**
 * Deno, starting a shell, takes an argument that is its own path for a call of Node and puts options behind it: such a path
 * is written in another way.
 */
const inOwnWords = (path: string): string =>
  path === process.execPath ? `${dirname(path)}/./${basename(path)}` : path

const at = (path: string): Bind => ({ from: inOwnWords(path), to: inOwnWords(path) })
/** Programs and their libraries, nothing of this machine's own. */
const USR: readonly Bind[] = ['/usr', '/lib', '/lib64', '/bin']
  .filter((path) => existsSync(path))
  .map(at)

/** @param runtimeDir a folder for the filters; other users must be able to read it */
export const createConfine = (runtimeDir: string): Confine => {
  let become: readonly string[] | null | undefined
  const bwrap = findProgram('bwrap')
  const architecture = ARCHITECTURES.find((name) => name === process.arch)
  const identity = process.getuid?.() === 0 ? APART : null

  /** Null: no walls here. Tried when first asked for. */
  const findPrefix = (): readonly string[] | null => {
    if (bwrap === null || architecture === undefined || bubblewrapFault(bwrap) !== null) return null
    if (identity !== null && !existsSync(SETPRIV)) return null
    const { uid, gid } = identity ?? APART
    const drop =
      identity === null
        ? []
        : [SETPRIV, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs']
    return works(bwrap, drop, {}) ? [...drop, bwrap] : null
  }

  return (program, { reads, writes = [], network = false, processes = false }) => {
    if (become === undefined) become = findPrefix()
    if (become === null || architecture === undefined) return null
    if (identity !== null && !isWithinReach(program.command, reads)) return null
    if (identity !== null) for (const folder of writes) giveTo(identity, folder)
    const filter = seccompFilter(architecture, { processes })
    const filterPath = writeRuntimeFile(runtimeDir, 'filter-#.bpf', filter)
    const confinement = {
      binds: [...USR, ...[program.command, ...reads].map(at)],
      writableBinds: writes.map(at),
      env: program.env,
      temporaryMb: TEMPORARY_MB,
      filterDescriptor: FILTER_DESCRIPTOR,
      network,
      command: [program.command, ...program.args],
    }
    return {
      command: '/bin/sh',
      args: ['-c', OPEN_FILTER, filterPath, ...become, ...bubblewrapArgs(confinement)],
      env: {},
      end: endConfined,
    }
  }
}
