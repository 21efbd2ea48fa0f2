/**
 * Confines programs of svc itself that handle untrusted bytes: readers of documents, the bundler, git. A program sees only
 * the files that it needs, behind bubblewrap and a filter of system calls. Where the machine cannot confine, it runs as
 * before, with the limits that its own room sets.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import {
  type Bind,
  bubblewrapArgs,
  bubblewrapFault,
  findProgram,
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
  /** Files and folders that it reads; they keep their paths. */
  reads: readonly string[]
  /** Folders that it writes; its user becomes their owner. @default none */
  writes?: readonly string[]
  /** @default false */
  network?: boolean
  /** Whether it starts other processes. @default false */
  processes?: boolean
}>

export type ConfinedProgram = Program &
  Readonly<{
    /** Kills it and all that it started. */
    end: (pid: number) => void
  }>

/** @returns the command that starts the program confined; null when this machine cannot confine it */
export type Confine = (program: Program, needs: ConfineNeeds) => ConfinedProgram | null

/** This id differs from the user of jobs, so that a job that escapes cannot read the files of these programs. */
const CONFINED_USER: Identity = { uid: 65_533, gid: 65_533 }
const FILTER_DESCRIPTOR = 9
const TEMPORARY_MB = 256
/** Each start opens the filter itself, because processes that share a descriptor share its offset. */
const OPEN_FILTER = `exec "$@" ${FILTER_DESCRIPTOR}<"$0"`

const endConfined = (pid: number): void => {
  // when the first process of the namespace dies, the kernel kills the others, and bubblewrap reaps it
  const [inside = pid] = childrenOf(pid)
  try {
    process.kill(inside, 'SIGKILL')
  } catch {
    // it has already ended
  }
}

/**
 * Changes the owner of a folder once, before the program first runs in it: later the program owns all that it makes, and
 * its links may lead anywhere. No link is followed, unlike by a recursive `readdir`.
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

/** Whether a user without rights can run and read what the program needs. */
const isWithinReach = (command: string, reads: readonly string[]): boolean =>
  [command, ...reads].every(isThere) && isOpenToOthers(command) && reads.every(isReadableByOthers)

/** Probes confinement with a program that does nothing. */
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
 * When Deno starts a shell, it takes an argument that equals its own path for a call of Node and adds options to it.
 * Another spelling of the path avoids this.
 */
const respellDeno = (path: string): string =>
  path === process.execPath ? `${dirname(path)}/./${basename(path)}` : path

const at = (path: string): Bind => ({ from: respellDeno(path), to: respellDeno(path) })
/** Programs and their libraries, no data of this machine. */
const USR: readonly Bind[] = ['/usr', '/lib', '/lib64', '/bin']
  .filter((path) => existsSync(path))
  .map(at)

/**
 * Finds out at its first use whether this machine can confine.
 * @param runtimeDir a folder for the filters; other users must be able to read it
 */
export const createConfine = (runtimeDir: string): Confine => {
  let become: readonly string[] | null | undefined
  const bwrap = findProgram('bwrap')
  const architecture = ARCHITECTURES.find((name) => name === process.arch)
  const identity = process.getuid?.() === 0 ? CONFINED_USER : null

  /** @returns null if this machine cannot confine */
  const findPrefix = (): readonly string[] | null => {
    if (bwrap === null || architecture === undefined || bubblewrapFault(bwrap) !== null) return null
    if (identity !== null && !existsSync(SETPRIV)) return null
    const { uid, gid } = identity ?? CONFINED_USER
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
