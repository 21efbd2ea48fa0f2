/**
 * Reads the tarball of a package into memory. Nothing is written to disk and no script is run. Links and special files are
 * omitted, as in npm; a path that leads out of the package is refused.
 */
import type { Extract, Header } from 'tar-stream'
import { MIB } from '#core/byte-units.ts'
import type { AppError } from '#core/error.ts'
import { packageFault } from '#core/packages/package-fault.ts'
import { type AppFiles, MAX_VENDORED_BYTES, MAX_VENDORED_FILES, pathFault } from './app-files.ts'
import { entrySize, readEntry, unpack } from './read-entry.ts'

/**
 * The remainder of the limits of one deployment. `bytes` counts the files that are kept, `unpacked` also types and source maps,
 * of which some packages have 200 MiB.
 */
export type PackageBudget = { files: number; bytes: number; unpacked: number }

const MAX_UNPACKED_BYTES = 4 * MAX_VENDORED_BYTES

export const newPackageBudget = (): PackageBudget => ({
  files: MAX_VENDORED_FILES,
  bytes: MAX_VENDORED_BYTES,
  unpacked: MAX_UNPACKED_BYTES,
})

/** Files that no module loads: types and source maps. They take most of the space of many packages. */
const NEVER_LOADED = /\.(?:d\.[cm]?ts|map|tsbuildinfo)$/i

export type PackageTarball = Readonly<{
  /** The package for messages, such as `zod@4.0.0`. */
  what: string
  bytes: Uint8Array
}>

/**
 * Unpacks a tarball. @param budget is reduced by the unpacked files
 * @returns the files by path inside the package
 * @throws {AppError} unprocessable `bad_package`, `too_many_packages`
 */
export const readPackageArchive = async (
  { what, bytes }: PackageTarball,
  budget: PackageBudget,
): Promise<AppFiles> => {
  const files = new Map<string, Uint8Array>()
  await unpack(bytes, {
    read: (entries) => readEntries(entries, { what, files, budget }),
    bounded: bounded(what, budget),
    damaged: (cause) => packageFault('bad_package', `The tarball of ${what} is damaged.`, cause),
  })
  return files
}

const tooMuch = (what: string): AppError =>
  packageFault(
    'too_many_packages',
    `With ${what}, the packages of the app unpack to more than ${MAX_VENDORED_BYTES / MIB} MiB or ${MAX_VENDORED_FILES} files. Use smaller packages, or divide the actions among several apps.`,
  )

/** Stops a decompression bomb while it unpacks. */
const bounded = (what: string, budget: PackageBudget) =>
  async function* limit(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      budget.unpacked -= chunk.length
      if (budget.unpacked < 0) throw tooMuch(what)
      yield chunk
    }
  }

type Reading = Readonly<{
  what: string
  files: Map<string, Uint8Array>
  budget: PackageBudget
}>

/** Returns the path inside the package, or null for an omitted entry. @throws {AppError} the path leads out of the package */
const pathOf = ({ name, type }: Header, what: string): string | null => {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (name.startsWith('/') || parts.includes('..') || /[\\\0]/.test(name)) {
    throw packageFault('bad_package', `The tarball of ${what} has a path that leads out of it.`)
  }
  // npm names the first folder "package"; other tools use other names
  const path = parts.slice(1).join('/')
  const isFile = type === 'file' || type === 'contiguous-file'
  return isFile && pathFault(path) === null && !NEVER_LOADED.test(path) ? path : null
}

const readEntries = async (entries: Extract, { what, files, budget }: Reading): Promise<void> => {
  for await (const entry of entries) {
    budget.files -= 1
    if (budget.files < 0) throw tooMuch(what)
    const size = entrySize(entry.header)
    const path = pathOf(entry.header, what)
    if (path === null) {
      entry.resume()
      continue
    }
    budget.bytes -= size
    if (budget.bytes < 0) throw tooMuch(what)
    files.set(path, await readEntry(entry))
  }
}
