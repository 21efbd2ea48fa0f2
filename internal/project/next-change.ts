/** Waits for a change in the folder of an app. */
import { fstatSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { watchedFolders } from './watch-functions.ts'

/** Milliseconds without a further change, because editors write a file several times. */
const SETTLE_MS = 50

/** Hidden files, logs and installed packages are no parts of an app that people edit. */
const IGNORED = /(?:^|\/)(?:\.(?!env$)|node_modules(?:\/|$))|\.log$/

/** Whether this process writes its output to the file, which would start each next run. */
const isOutput = (path: string): boolean => {
  const file = statSync(path, { throwIfNoEntry: false })
  const outputs = [1, 2].map((descriptor) => fstatSync(descriptor))
  return outputs.some(({ ino, dev }) => file?.ino === ino && file.dev === dev)
}

type Change = Readonly<{ path: Promise<string>; stop: () => void }>

/** Waits for the path of the first change. `stop` must be called, else the process does not end. */
export const nextChange = (folder: string): Change => {
  const found = Promise.withResolvers<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let first: string | undefined
  const onChange = (path: string): void => {
    if (IGNORED.test(path) || isOutput(join(folder, path))) return
    first ??= path
    clearTimeout(timer)
    timer = setTimeout(() => found.resolve(first ?? path), SETTLE_MS)
  }
  const watchers = [
    watch(folder, (_, name) => onChange(name ?? '')),
    ...watchedFolders(folder).map((name) =>
      watch(join(folder, name), { recursive: true }, (_, path) => onChange(`${name}/${path}`)),
    ),
  ]
  const stop = (): void => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
  return { path: found.promise, stop }
}
