/**
 * Finds files that git would take for a repository. The configuration of a repository names programs, which git runs as soon as
 * a person enters the folder in a shell that shows the state of git.
 */

/** Characters that some file systems leave out of names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
/** What Windows leaves out at the end of a name. */
const LEFT_OUT = /[ .]*(?::.*)?$/s
/** `git~1` is the short form of `.git` on Windows. */
const NAMES: ReadonlySet<string> = new Set(['.git', 'git~1'])

/** Folds a path as the least strict file system would. */
const fold = (path: string): string =>
  path
    .replaceAll(IGNORED, '')
    .toLowerCase()
    .split('/')
    .map((part) => part.replace(LEFT_OUT, ''))
    .join('/')

/** A folder with these is a repository without a folder `.git`. */
const isBare = (folder: string, paths: readonly string[]): boolean => {
  const has = (name: string): boolean => paths.some((path) => path.startsWith(`${folder}${name}`))
  return (has('objects/') && has('refs/')) || paths.includes(`${folder}commondir`)
}

const isNamed = (folded: string): boolean => folded.split('/').some((part) => NAMES.has(part))

/** Whether some file system keeps the file in a folder `.git`, or as a file of that name. git itself refuses such paths. */
export const isInGitFolder = (path: string): boolean => isNamed(fold(path))

/** @returns the first path that belongs to a repository, as it is given; null if there is none */
export const findGitFile = (given: Iterable<string>): string | null => {
  const files = [...given].map((path) => ({ path, folded: fold(path) }))
  const paths = files.map(({ folded }) => folded)
  const found = files.find(({ folded }) => {
    if (isNamed(folded)) return true
    return folded.split('/').at(-1) === 'head' && isBare(folded.slice(0, -'head'.length), paths)
  })
  return found?.path ?? null
}
