/**
 * Finds the parts of a binary: Node, Deno, esbuild and libSQL for its platform, as npm packages. Those for this machine are
 * in node_modules; npm installs those for another processor from the same lock file into a separate folder.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { ROOT } from '../root.ts'

/** The processors that svc is built for; the operating system is Linux with glibc. */
export const ARCHITECTURES = ['x64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

export type PlatformParts = Readonly<{
  arch: Architecture
  /** Finds a file in one of the platform's packages. @returns its path */
  find: (name: string) => string
  /** Path of the platform's Node. */
  node: string
  /** The command that runs the platform's Node here; for another processor it begins with QEMU. */
  runNode: readonly [command: string, ...args: string[]]
}>

/** Where Debian's cross packages put the C libraries of arm64. */
const ARM64_LIBRARIES = '/usr/aarch64-linux-gnu'

const partsIn = (folder: string, arch: Architecture): Omit<PlatformParts, 'runNode'> => {
  const find = createRequire(join(folder, 'package.json')).resolve
  return { arch, find, node: find(`node-linux-${arch}/bin/node`) }
}

/** Installs the packages for another processor. npm checks each against the hash in the lock file. @returns the folder */
const installFor = (arch: Architecture): string => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const folder = join(ROOT, 'node_modules', '.cache', 'svc-build', `linux-${arch}-${hash}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(ROOT, file), join(draft, file))
  }
  execFileSync(
    'npm',
    ['install', '--no-save', '--omit=dev', '--os=linux', '--libc=glibc', `--cpu=${arch}`],
    { cwd: draft, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  renameSync(draft, folder)
  return folder
}

const isHost = (arch: Architecture): boolean => arch === process.arch

const runOnOther = (node: string, arch: Architecture): PlatformParts['runNode'] => {
  if (arch !== 'arm64') throw new Error(`Build svc for ${arch} on a machine with that processor.`)
  if (!existsSync(join(ARM64_LIBRARIES, 'lib', 'ld-linux-aarch64.so.1'))) {
    throw new Error(
      'The build for arm64 runs the Node of arm64. On Debian: apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross',
    )
  }
  return ['qemu-aarch64-static', '-L', ARM64_LIBRARIES, node]
}

/**
 * Finds the parts of a platform; those for another processor are installed first.
 * @throws {Error} a part, or the emulator that runs it, is missing
 */
export const platformParts = (arch: Architecture): PlatformParts => {
  const parts = partsIn(isHost(arch) ? ROOT : installFor(arch), arch)
  return { ...parts, runNode: isHost(arch) ? [parts.node] : runOnOther(parts.node, arch) }
}

/** The processor of this machine. @throws {Error} svc is not built for it */
export const hostArchitecture = (): Architecture => {
  const found = ARCHITECTURES.find((name) => name === process.arch)
  if (process.platform === 'linux' && found !== undefined) return found
  throw new Error(
    `svc is built for Linux on x64 and arm64. On ${process.platform} ${process.arch}, run from source: npm run svc -- start`,
  )
}
