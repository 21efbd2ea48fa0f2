/** A clean Debian in a folder, made by debootstrap, in which packages are installed as on a new machine. */
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Readable } from 'node:stream'

const MIRROR = 'http://deb.debian.org/debian'
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Dependencies of the package that a minimal Debian lacks. dpkg alone does not fetch them. */
const DEPENDENCIES = 'ca-certificates,libstdc++6'

export type CleanDebian = Readonly<{
  root: string
  /** Runs a command as root. @returns its output, errors included. @throws {Error} it failed */
  run: (...command: readonly string[]) => string
  /** Starts a command as a user, with its own environment. Its log (stderr) is printed and can be read. */
  startAs: (
    user: string,
    env: Readonly<Record<string, string>>,
    command: readonly string[],
  ) => ChildProcessByStdio<null, null, Readable>
  copyIn: (from: string, to: string) => void
  has: (path: string) => boolean
  read: (path: string) => string
  remove: () => void
}>

/** Unpacks a minimal Debian into a folder. @param packages additional packages, separated by commas */
export const bootstrap = (root: string, release: string, packages = ''): void => {
  execFileSync(
    'debootstrap',
    [
      '--variant=minbase',
      ...(packages === '' ? [] : [`--include=${packages}`]),
      release,
      root,
      MIRROR,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

/** Makes the system. Needs root and about two minutes. */
export const makeCleanDebian = (root: string): CleanDebian => {
  bootstrap(root, 'bookworm', DEPENDENCIES)
  const inRoot = (path: string): string => join(root, path)
  execFileSync('mount', ['-t', 'proc', 'proc', inRoot('proc')])
  execFileSync('mount', ['--bind', '/dev', inRoot('dev')])
  return {
    root,
    run: (...command) =>
      execFileSync('chroot', [root, 'sh', '-c', '"$@" 2>&1', 'sh', ...command], {
        encoding: 'utf8',
        env: { PATH, DEBIAN_FRONTEND: 'noninteractive' },
      }),
    startAs: (user, env, command) => {
      const child = spawn('chroot', [`--userspec=${user}`, root, ...command], {
        env: { PATH, ...env },
        stdio: ['ignore', 'inherit', 'pipe'],
      })
      child.stderr.pipe(process.stderr)
      return child
    },
    copyIn: (from, to) => copyFileSync(from, inRoot(to)),
    has: (path) => existsSync(inRoot(path)),
    read: (path) => readFileSync(inRoot(path), 'utf8'),
    remove: () => {
      for (const folder of ['dev', 'proc']) execFileSync('umount', ['--lazy', inRoot(folder)])
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
