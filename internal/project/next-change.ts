/** Waits for a change in the folder of an app. */
import { watch } from 'node:fs'
import { join } from 'node:path'
import { watchedFolders } from './watch-functions.ts'

/** Milliseconds without a further change, because editors write a file several times. */
const SETTLE_MS = 50

/** Resolves to the path of the first change; hidden files and installed packages do not count. */
export const nextChange = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let first: string | undefined
    const onChange = (path: string): void => {
      if (/(?:^|\/)(?:\.(?!env$)|node_modules$)/.test(path)) return
      first ??= path
      clearTimeout(timer)
      timer = setTimeout(() => {
        for (const watcher of watchers) watcher.close()
        resolve(first ?? path)
      }, SETTLE_MS)
    }
    const watchers = [
      watch(folder, (_, name) => onChange(name ?? '')),
      ...watchedFolders(folder).map((name) =>
        watch(join(folder, name), { recursive: true }, (_, path) => onChange(`${name}/${path}`)),
      ),
    ]
  })
