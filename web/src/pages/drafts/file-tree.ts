/** Files and folders as rows, folders before files, as in editors. Pure. */
export type TreeRow = Readonly<{
  depth: number
  name: string
  /** Null for a folder. */
  path: string | null
  key: string
}>

type Folder = { readonly folders: Map<string, Folder>; readonly files: string[] }

const newFolder = (): Folder => ({ folders: new Map(), files: [] })

export const toTree = (paths: readonly string[]): readonly TreeRow[] => {
  const root = newFolder()
  for (const path of [...paths].sort()) {
    const parts = path.split('/')
    let folder = root
    for (const name of parts.slice(0, -1)) {
      const next = folder.folders.get(name) ?? newFolder()
      folder.folders.set(name, next)
      folder = next
    }
    folder.files.push(path)
  }
  return rowsOf(root, '', 0)
}

const rowsOf = ({ folders, files }: Folder, head: string, depth: number): readonly TreeRow[] => [
  ...[...folders].flatMap(([name, folder]) => [
    { depth, name, path: null, key: `${head}${name}/` },
    ...rowsOf(folder, `${head}${name}/`, depth + 1),
  ]),
  ...files.map((path) => ({ depth, name: path.slice(head.length), path, key: path })),
]
