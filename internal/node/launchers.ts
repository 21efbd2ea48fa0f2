/**
 * `deno task` and npm's `deno` start this program as a child process, and do not forward signals: SIGTERM ends them and
 * leaves the node running. So a node that was started through them watches them, and stops when one of them exits.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { isRunning } from '#disk/is-running.ts'

export type ProcessFacts = Readonly<{ parent: number; command: string }>

/** Deno's own program, or the script of its npm package that starts it. */
const LAUNCHER = /^\S*\/?deno(?:\s|$)|^\S+ \S*\/deno(?:\/bin\.cjs)?(?:\s|$)/

/** The maximum number of launchers between svc and its shell. */
const MOST = 8

/**
 * Finds the consecutive launchers above this process, the nearest first; the first other
 * parent, such as a shell, ends the list.
 * @param read returns null if the process does not exist or cannot be inspected
 */
export const findLaunchers = (
  parent: number,
  read: (pid: number) => ProcessFacts | null,
): readonly number[] => {
  const launchers: number[] = []
  for (let pid = parent; pid > 1 && launchers.length < MOST; ) {
    const facts = read(pid)
    if (facts === null || !LAUNCHER.test(facts.command)) break
    launchers.push(pid)
    pid = facts.parent
  }
  return launchers
}

const readFromProc = (pid: number): ProcessFacts => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  return { parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0), command }
}

const readFromPs = (pid: number): ProcessFacts | null => {
  const asked = spawnSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, command] = /^\s*(\d+)\s+(.*)/.exec(asked.stdout ?? '') ?? []
  return parent === undefined || command === undefined ? null : { parent: Number(parent), command }
}

const readProcess = (pid: number): ProcessFacts | null => {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid)
  } catch {
    // the process has ended, or belongs to another user
    return null
  }
}

const EVERY_MS = 500

/** Calls back once, when a launcher exits. Without launchers it does nothing. */
export const watchLaunchers = (onGone: () => void): void => {
  // only Deno has such launchers
  if (process.versions.deno === undefined) return
  const launchers = findLaunchers(process.ppid, readProcess)
  if (launchers.length === 0) return
  const timer = setInterval(() => {
    if (launchers.every(isRunning)) return
    clearInterval(timer)
    onGone()
  }, EVERY_MS)
  timer.unref()
}
