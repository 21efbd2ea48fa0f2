/** Finds the apps of a repository: one app at `path`, or several in its first-level folders. */

export const MANIFEST_NAMES = ['app.yaml', 'app.json'] as const

/** A repository may have hundreds of thousands of paths, so one expression decides about each. */
const MANIFEST = /^(?:([^/]*)\/)?app\.(?:yaml|json)$/

/**
 * Returns the folders that contain a manifest: only the root (an empty text) if it has one, else first-level folders in order.
 * @param paths of all files, relative to the root
 * @param most how many folders the caller accepts; if there are more, any `most + 1` of them are returned, because each of
 * hundreds of thousands of files may be a manifest, and to collect and sort their folders takes a third of a second
 */
export const findAppFolders = (paths: Iterable<string>, most: number): readonly string[] => {
  const folders = new Set<string>()
  for (const path of paths) {
    const found = MANIFEST.exec(path)
    if (found === null) continue
    const [, folder] = found
    if (folder === undefined) return ['']
    if (folders.size <= most) folders.add(folder)
  }
  return [...folders].sort()
}
