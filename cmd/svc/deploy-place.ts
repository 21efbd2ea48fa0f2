/** Which folder `svc deploy` works on: a word that cannot be the name of a function is a path. */
import { type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '#core/error.ts'
import { hasManifest } from '#project/near-app.ts'
import { UsageError } from './exit.ts'

export type DeployPlace = Readonly<{
  folder: string
  /** Names of functions. */
  names: readonly string[]
}>

/** Names of functions have neither. */
const IS_PATH = /[./]/

/** Writes a path so that it is not read as a name. */
const asPath = (path: string): string => (IS_PATH.test(path) ? path : `./${path}`)

const statOrNull = (path: string): Stats | null => statSync(path, { throwIfNoEntry: false }) ?? null

/** Refuses a path that is not the folder of an app. @throws {AppError} not_found @throws {UsageError} */
const checkFolder = (path: string): void => {
  const found = statOrNull(path)
  if (found === null) throw new AppError('not_found', `There is no folder ${path}.`)
  if (!found.isDirectory()) {
    const folder = asPath(dirname(path))
    throw new UsageError(`${path} is a file. svc deploy takes a folder: svc deploy ${folder}`)
  }
  const above = dirname(resolve(path))
  if (basename(above) === 'functions' && !hasManifest(path)) {
    const app = dirname(dirname(path))
    const place = app === '.' ? '' : `${asPath(app)} `
    throw new UsageError(
      `${path} is a function. Write its name: svc deploy ${place}${basename(path)}`,
    )
  }
}

/**
 * @param words of the command line
 * @throws {AppError} not_found: there is no such folder
 * @throws {UsageError} the path of something else, or several
 */
export const deployPlace = (words: readonly string[]): DeployPlace => {
  const paths = words.filter((word) => IS_PATH.test(word))
  const [folder = '.', ...others] = paths
  if (others.length > 0) {
    throw new UsageError(`svc deploys one folder at a time: svc deploy ${folder}`)
  }
  if (paths.length > 0) checkFolder(folder)
  return { folder, names: words.filter((word) => !IS_PATH.test(word)) }
}

/** Names the folder of an app that a person meant by a word; empty if there is none. */
export const hintOfFolder = (folder: string, names: readonly string[]): string => {
  const meant = names.find((name) => hasManifest(join(folder, name)))
  return meant === undefined
    ? ''
    : ` ${meant} is the folder of an app. To deploy it: svc deploy ${asPath(join(folder, meant))}`
}
