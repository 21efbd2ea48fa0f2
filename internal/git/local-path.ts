/** Repositories on this machine: only those under the folders that the operator opened (SVC_GIT_LOCAL_ROOTS). */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { refuseAddress } from './address.ts'

/**
 * Links are resolved first, so that none leads out of the roots; nor may a `.git` file, as worktrees have it.
 * @throws {AppError} invalid `url_not_allowed`: an outsider learns nothing of which paths exist
 */
export const resolveLocalPath = (path: string, roots: readonly string[]): string => {
  if (roots.length === 0) {
    throw refuseAddress(
      'Local paths are closed. The operator may open folders with SVC_GIT_LOCAL_ROOTS.',
    )
  }
  try {
    const real = realpathSync(path)
    const open = roots.map((root) => realpathSync(root))
    const isOpen = (place: string): boolean => open.some((root) => isBelow(root, place))
    if (isOpen(real) && gitFolders(real).every(isOpen)) return real
  } catch {
    // told below
  }
  throw refuseAddress(
    'This path is not in a folder that SVC_GIT_LOCAL_ROOTS opens, or does not exist.',
  )
}

const isBelow = (root: string, path: string): boolean => {
  const below = relative(root, path)
  return below === '' || !(below === '..' || below.startsWith('../') || isAbsolute(below))
}

const ifExists = (path: string): 'file' | 'folder' | null => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : stat.isFile() ? 'file' : 'folder'
}

/** Where git will go on reading: the folder that a `.git` file names, and what that one has in common with others. */
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
