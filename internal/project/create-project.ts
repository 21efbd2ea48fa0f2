/** Writes the files of a new project: all of them, or none if one would be overwritten. Settings of editors and npm are kept. */
import { existsSync, lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { conflict, invalid } from '#core/error.ts'
import { APP_KEY } from '#core/key-patterns.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { editorFiles, type ProjectTemplate, projectFiles } from './project-templates.ts'

export type NewProject = Readonly<{
  template: ProjectTemplate
  /** The name of the new folder; null writes into `parent` itself. */
  name: string | null
  /** The server whose JSON Schema app.yaml refers to, so that editors complete it. */
  endpoint: string
  parent?: string
}>

export type CreatedProject = Readonly<{ key: string; folder: string; files: readonly string[] }>

/**
 * Creates `<parent>/<name>`.
 * @throws {AppError} invalid: an app cannot have this name; conflict: a file would be overwritten
 */
export const createProject = ({
  template,
  name,
  endpoint,
  parent = '.',
}: NewProject): CreatedProject => {
  const folder = name === null ? resolve(parent) : resolve(parent, name)
  const key = name ?? basename(folder)
  if (!APP_KEY.test(key)) {
    if (name === '.') throw invalid('Leave out the name to create the app in this folder: svc init')
    const rule = 'A name has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.'
    const remedy = name === null ? ' Create the app in a new folder: svc init shop' : ''
    throw invalid(`"${key}" cannot be the name of an app. ${rule}${remedy}`, { code: 'bad_name' })
  }
  const entries = Object.entries(projectFiles(template, key, endpoint))
  refuseOverwriting(folder, name === null ? entries.map(([path]) => path) : null)
  const missing = Object.entries(editorFiles(endpoint)).filter(
    ([path]) => !isTaken(join(folder, path)),
  )
  const written = [...entries, ...missing]
  for (const [path, text] of written) {
    const target = join(folder, path)
    makeFolder(dirname(target))
    // fails if another program has written the file meanwhile
    writeFileSync(target, text, { flag: 'wx' })
  }
  return { key, folder, files: written.map(([path]) => path) }
}

/** @param paths the files to write; null if the folder must be new or empty. @throws {AppError} conflict */
const refuseOverwriting = (folder: string, paths: readonly string[] | null): void => {
  if (paths === null) {
    if (!existsSync(folder) || isEmpty(folder)) return
    throw conflict(`${folder} exists already. Choose another name; nothing was written.`, {
      code: 'would_overwrite',
    })
  }
  const at = (path: string): string => join(folder, path)
  const blocked = paths.flatMap(foldersOf).find((path) => isTaken(at(path)) && !isFolder(at(path)))
  const taken =
    blocked === undefined ? ['app.json', ...paths].filter((path) => isTaken(at(path))) : [blocked]
  if (taken.length === 0) return
  throw conflict(
    `${folder} has ${taken.join(', ')} already. Use a new folder; nothing was written.`,
    { code: 'would_overwrite' },
  )
}

/** Returns the folders of a path, the outermost first. */
const foldersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

const IF_ANY = { throwIfNoEntry: false } as const

/** Whether the name is in use, also by a link that leads nowhere. */
const isTaken = (path: string): boolean => lstatSync(path, IF_ANY) !== undefined

const isFolder = (path: string): boolean => statSync(path, IF_ANY)?.isDirectory() === true

const isEmpty = (folder: string): boolean => {
  try {
    return readdirSync(folder).length === 0
  } catch {
    // a file has this name
    return false
  }
}
