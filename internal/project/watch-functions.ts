/** Reloads the functions of a folder when their files change. */
import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { DevFunctions } from './dev-functions.ts'
import type { Project } from './rc-file.ts'

/** Editors write a file several times; the last one counts. */
const SETTLE_MS = 30

/** Folders next to functions/ that functions may share. Installed packages change by an installation, not by an editor. */
const sharedFolders = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_WATCHED.test(entry.name))
    .map(({ name }) => join(folder, name))

const NOT_WATCHED = /^(?:\.|node_modules$|functions$)/

/** Watches until the returned function is called. */
export const watchFunctions = (
  { folder }: Pick<Project, 'folder'>,
  functions: DevFunctions,
): (() => void) => {
  const changed = new Set<string>()
  const watchers = new Map<string, FSWatcher>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    watchShared()
    const names = [...changed]
    changed.clear()
    void functions.reload(names)
  }
  const mark = (names: readonly string[]): void => {
    for (const name of names) changed.add(name)
    clearTimeout(timer)
    timer = setTimeout(flush, SETTLE_MS)
  }
  /** Folders that are new as well: a change of a function may be the first to use one. */
  const watchShared = (): void => {
    for (const path of sharedFolders(folder)) {
      if (watchers.has(path)) continue
      watchers.set(
        path,
        watch(path, { recursive: true }, () => mark(functions.names())),
      )
    }
  }
  const own = watch(join(folder, 'functions'), { recursive: true }, (_, path) => {
    const [name] = (path ?? '').split(/[\\/]/)
    if (name === undefined || name === '' || name.startsWith('.')) return
    mark([name])
  })
  watchShared()
  return () => {
    clearTimeout(timer)
    for (const watcher of [own, ...watchers.values()]) watcher.close()
  }
}
