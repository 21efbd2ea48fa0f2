/**
 * Confines programs of svc itself that handle untrusted bytes: readers of documents, the bundler, git. A program sees only
 * the files that it needs, behind bubblewrap and a filter of system calls. If the machine cannot confine, the program runs
 * unconfined, with the limits that its own module sets.
 */
import { existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { type Bind, bubblewrapArgs, findProgram } from '#sandbox/linux/bubblewrap-args.ts'
import { isOpenToOthers, isReadableByOthers } from '#sandbox/linux/process-identity.ts'
import { childrenOf } from '#sandbox/linux/process-tree.ts'
import { writeRuntimeFile } from '#sandbox/linux/runtime-file.ts'
import { seccompFilter } from '#sandbox/linux/seccomp-filter.ts'
import { ARCHITECTURES } from '#sandbox/linux/system-calls.ts'
import { type Identity, SETPRIV } from '#sandbox/linux/wrap-command.ts'
import { createProof, createTrials } from './proof.ts'
import { respellDeno } from './respell-deno.ts'

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
    /** Kills it and all processes that it started. */
    end: (pid: number) => void
  }>

/**
 * @returns the command that starts the program confined; null if this machine cannot confine it
 * @throws {AppError} unavailable: this machine is too busy to find out
 */
export type Confine = ((program: Program, needs: ConfineNeeds) => ConfinedProgram | null) &
  Readonly<{
    /** Tests whether this machine can confine, so that the first program does not wait for the test. Never rejects. */
    probe?: () => Promise<void>
  }>

/** This id differs from the user of jobs, so that a job that escapes cannot read the files of these programs. */
const CONFINED_USER: Identity = { uid: 65_533, gid: 65_533 }
const FILTER_DESCRIPTOR = 9
const TEMPORARY_MB = 256
/** Each start opens the filter itself, because processes that share a descriptor also share its offset. */
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
 * Changes the owner of a folder once, before the program first runs in it: later the program owns everything that it creates,
 * and its links may lead anywhere. It follows no links, unlike a recursive `readdir`.
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

/** Whether an unprivileged user can run the command and read its files. */
const isWithinReach = (command: string, reads: readonly string[]): boolean =>
  [command, ...reads].every(isThere) && isOpenToOthers(command) && reads.every(isReadableByOthers)

const at = (path: string): Bind => ({ from: respellDeno(path), to: respellDeno(path) })
/** Programs and their libraries, without data of this machine. */
const USR: readonly Bind[] = ['/usr', '/lib', '/lib64', '/bin']
  .filter((path) => existsSync(path))
  .map(at)

const architecture = ARCHITECTURES.find((name) => name === process.arch)

/** @returns the command that starts bubblewrap as an unprivileged user; null if a part of it is missing */
const findPrefix = (identity: Identity | null): readonly string[] | null => {
  const bwrap = findProgram('bwrap')
  if (architecture === undefined || bwrap === null) return null
  if (identity === null) return [bwrap]
  if (!existsSync(SETPRIV)) return null
  const { uid, gid } = identity
  return [SETPRIV, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', bwrap]
}

/**
 * Tests with `probe`, else at the first use, whether this machine can confine.
 * @param runtimeDir a folder for the filters; other users must be able to read it
 */
export const createConfine = (runtimeDir: string): Confine => {
  const identity = process.getuid?.() === 0 ? CONFINED_USER : null
  const become = findPrefix(identity)
  const proof = become === null ? null : createProof(createTrials(become, USR))
  const confine = (program: Program, needs: ConfineNeeds): ConfinedProgram | null => {
    const { reads, writes = [], network = false, processes = false } = needs
    if (become === null || architecture === undefined || proof?.holds() !== true) return null
    if (identity !== null && !isWithinReach(program.command, reads)) return null
    if (identity !== null) for (const folder of writes) giveTo(identity, folder)
    const filter = seccompFilter(architecture, { processes })
    const filterPath = writeRuntimeFile(runtimeDir, 'filter-#.bpf', filter)
    const confinement = {
      binds: [...USR, ...[program.command, ...reads].map(at)],
      writableBinds: writes.map(at),
      env: {},
      inheritsEnv: true,
      temporaryMb: TEMPORARY_MB,
      filterDescriptor: FILTER_DESCRIPTOR,
      network,
      command: [program.command, ...program.args],
    }
    return {
      command: '/bin/sh',
      args: ['-c', OPEN_FILTER, filterPath, ...become, ...bubblewrapArgs(confinement)],
      // not by arguments, which every user of this machine can read: a variable may contain a password of a proxy
      env: program.env,
      end: endConfined,
    }
  }
  return Object.assign(confine, { probe: async () => proof?.probe() })
}
