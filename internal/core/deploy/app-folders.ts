/** Finds the apps of a repository: one app at `path`, or several in its first-level folders. */

export const MANIFEST_NAMES = ['app.yaml', 'app.json'] as const

const isManifest = (name: string): boolean => MANIFEST_NAMES.some((known) => known === name)

/**
 * Returns the folders that contain a manifest: only the root (an empty text) if it has one, else first-level folders in order.
 * @param paths of all files, relative to the root
 */
export const findAppFolders = (paths: readonly string[]): readonly string[] => {
  if (paths.some(isManifest)) return ['']
  const folders = paths.flatMap((path) => {
    const [folder = '', name = '', ...deeper] = path.split('/')
    return deeper.length === 0 && isManifest(name) ? [folder] : []
  })
  return [...new Set(folders)].sort()
}
