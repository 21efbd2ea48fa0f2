/** Repositories on this machine: only those below the folders in SVC_GIT_LOCAL_ROOTS. */
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { refuseAddress } from './address.ts'
import { NO_REPOSITORY, unreachable } from './failure.ts'

/**
 * Resolves a local path. Links are resolved first, so that none leads out of the roots; the
 * same applies to the `.git` file of a worktree.
 * @throws {AppError} invalid `url_not_allowed`, also for a missing path outside of the roots, so that a caller cannot probe the
 *   disk; bad_gateway `git_unreachable` for a missing path below a root
 */
export const resolveLocalPath = (path: string, roots: readonly string[]): string => {
  if (roots.length === 0) {
    throw refuseAddress(
      'Local paths are not allowed. The operator can allow folders with SVC_GIT_LOCAL_ROOTS.',
    )
  }
  try {
    const real = realpathSync(path)
    const isOpen = (place: string): boolean => isBelowAny(roots, place)
    if (isOpen(real) && gitFolders(real).every(isOpen)) return real
  } catch {
    // a missing path outside of the roots gets the same refusal below
  }
  if (isMissingBelow(roots, path)) throw unreachable(NO_REPOSITORY)
  throw refuseAddress('This path does not exist or is not below a folder in SVC_GIT_LOCAL_ROOTS.')
}

const isBelow = (root: string, path: string): boolean => {
  const below = relative(root, path)
  return below === '' || !(below === '..' || below.startsWith('../') || isAbsolute(below))
}

/** A root that does not exist has nothing below it. */
const isBelowAny = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => existsSync(root) && isBelow(realpathSync(root), path))

const isMissingBelow = (roots: readonly string[], path: string): boolean => {
  try {
    const place = resolve(path)
    const existing = nearestExisting(place)
    if (existing === place) return false
    return isBelowAny(roots, realpathSync(existing))
  } catch {
    // a link that leads nowhere: it may lead out of the roots
    return false
  }
}

/** Returns the path itself, or the nearest folder above it that exists; a link exists even if it leads nowhere. */
const nearestExisting = (path: string): string =>
  path === dirname(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined
    ? path
    : nearestExisting(dirname(path))

const ifExists = (path: string): 'file' | 'folder' | null => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : stat.isFile() ? 'file' : 'folder'
}

/** Returns the folders that git would read: the one that a `.git` file names, and its common directory. */
const gitFolders = (path: string): readonly string[] => {
  const dotGit = join(path, '.git')
  const kind = ifExists(dotGit)
  if (kind === null) return []
  const folder =
    kind === 'folder'
      ? realpathSync(dotGit)
      : realpathSync(
          resolve(
            path,
            readFileSync(dotGit, 'utf8')
              .replace(/^gitdir:\s*/, '')
              .trim(),
          ),
        )
  const common = join(folder, 'commondir')
  if (ifExists(common) !== 'file') return [folder]
  return [folder, realpathSync(resolve(folder, readFileSync(common, 'utf8').trim()))]
}
