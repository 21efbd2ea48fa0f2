/** Finds the apps of a repository: one app at `path`, or several in its first-level folders. */

export const MANIFEST_NAMES = ['app.yaml', 'app.json'] as const

/** A repository may have hundreds of thousands of paths, so one expression decides about each. */
const MANIFEST = /^(?:([^/]*)\/)?app\.(?:yaml|json)$/

/**
 * Returns the folders that contain a manifest: only the root (an empty text) if it has one, else first-level folders in order.
 * @param paths of all files, relative to the root
 */
export const findAppFolders = (paths: readonly string[]): readonly string[] => {
  const folders = new Set<string>()
  for (const path of paths) {
    const found = MANIFEST.exec(path)
    if (found !== null) folders.add(found[1] ?? '')
  }
  return folders.has('') ? [''] : [...folders].sort()
}
