/** Compares the files of two versions of an app by the hashes of their contents. Pure. */

export const FILE_CHANGE_KINDS = ['removed', 'changed', 'added'] as const
export type FileChange = Readonly<{ path: string; change: (typeof FILE_CHANGE_KINDS)[number] }>

type Hashes = ReadonlyMap<string, string>

const changeOf = (before: Hashes, after: Hashes, path: string): FileChange | null => {
  const [old, now] = [before.get(path), after.get(path)]
  if (old === now) return null
  const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'
  return { path, change }
}

/** Returns the files that differ, by path. */
export const compareFiles = (before: Hashes, after: Hashes): readonly FileChange[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .flatMap((path) => changeOf(before, after, path) ?? [])
