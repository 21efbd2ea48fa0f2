/** Finds the app that a person probably meant who runs a command in the wrong folder. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { MANIFEST_NAMES } from '#core/deploy/app-folders.ts'

/** Levels above the folder in which an app is looked for. */
const MAX_LEVELS = 5

export const hasManifest = (folder = '.'): boolean =>
  MANIFEST_NAMES.some((name) => existsSync(join(folder, name)))

const above = (folder: string, levels = MAX_LEVELS): string | undefined => {
  const parent = dirname(folder)
  if (levels === 0 || parent === folder) return
  return hasManifest(parent) ? parent : above(parent, levels - 1)
}

const below = (folder: string): string | undefined =>
  entriesOf(folder)
    .map((name) => join(folder, name))
    .find((path) => hasManifest(path))

/** A folder that may not be listed has none. */
const entriesOf = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted()
  } catch {
    return []
  }
}

/** Returns the sentence that names it, with a space before it; empty if there is none. */
export const hintOfNearApp = (folder: string): string => {
  const place = resolve(folder)
  const found = above(place) ?? below(place)
  if (found === undefined) return ''
  // from another folder than the current one, a relative path would lead elsewhere
  const path = place === resolve('.') ? relative(place, found) : found
  return ` There is one nearby: cd ${path}`
}
