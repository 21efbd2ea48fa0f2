/** Reloads the functions and app.yaml of `svc dev` when their files change. */
import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { MANIFEST_NAMES } from '#core/deploy/app-folders.ts'
import type { DevFunctions } from './dev-functions.ts'
import type { Project } from './rc-file.ts'

/** Milliseconds without a further change, because editors write a file several times. */
const SETTLE_MS = 30

/** Names of the folders of an app with code. Installed packages are not watched, because people do not edit them. */
export const watchedFolders = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_WATCHED.test(entry.name))
    .map(({ name }) => name)

const NOT_WATCHED = /^(?:\.|node_modules$)/

/** Folders next to functions/ that functions may share. */
const sharedFolders = (folder: string): readonly string[] =>
  watchedFolders(folder)
    .filter((name) => name !== 'functions')
    .map((name) => join(folder, name))

const isOfApp = (name: string | null): boolean =>
  name === '.env' || MANIFEST_NAMES.some((each) => each === name)

/** Files next to app.yaml that state what imports of the code mean. */
const IS_OF_CODE = /^(?:package|tsconfig(?:\..+)?)\.json$/

/**
 * Watches until the returned function is called.
 * @param onApp called after app.yaml, `.env`, or code that actions share has changed
 */
export const watchFunctions = (
  { folder }: Pick<Project, 'folder'>,
  functions: DevFunctions,
  onApp: (hasManifestChanged: boolean) => void,
): (() => void) => {
  const changed = new Set<string>()
  const watchers = new Map<string, FSWatcher>()
  let ofApp: 'nothing' | 'code' | 'manifest' = 'nothing'
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    const isNew = watchFolders()
    const names = [...changed]
    changed.clear()
    void functions.reload(isNew ? undefined : names)
    if (ofApp !== 'nothing') onApp(ofApp === 'manifest')
    ofApp = 'nothing'
  }
  const mark = (names: readonly string[]): void => {
    for (const name of names) changed.add(name)
    clearTimeout(timer)
    timer = setTimeout(flush, SETTLE_MS)
  }
  const markCode = (): void => {
    if (ofApp === 'nothing') ofApp = 'code'
    mark(functions.names())
  }
  const markOwn = (path: string | null): void => {
    const [name] = (path ?? '').split(/[\\/]/)
    if (name === undefined || name === '' || name.startsWith('.')) return
    mark([name])
  }
  const add = (path: string, onChange: (path: string | null) => void): void => {
    if (watchers.has(path)) return
    watchers.set(
      path,
      watch(path, { recursive: true }, (_, changedPath) => onChange(changedPath)),
    )
  }
  /** Also watches new folders, since a changed function may be the first to use one. @returns whether functions/ is new */
  const watchFolders = (): boolean => {
    const own = join(folder, 'functions')
    const isNew = existsSync(own) && !watchers.has(own)
    if (isNew) add(own, markOwn)
    for (const path of sharedFolders(folder)) add(path, markCode)
    return isNew
  }
  const root = watch(folder, (_, name) => {
    if (isOfApp(name)) ofApp = 'manifest'
    if (IS_OF_CODE.test(name ?? '')) markCode()
    else mark([])
  })
  watchFolders()
  return () => {
    clearTimeout(timer)
    for (const watcher of [root, ...watchers.values()]) watcher.close()
  }
}
