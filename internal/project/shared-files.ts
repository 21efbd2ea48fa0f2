/** Files that the functions of a project share: lib/, package.json, node_modules and others next to `functions/`. */
import type { FileLookup } from '#bundle/file-lookup.ts'
import { FUNCTIONS_FOLDER } from '#bundle/function-files.ts'
import { FolderFiles } from './folder-files.ts'

/** Lists the files that all functions of the folder share: everything outside the functions' own folders. */
export const readSharedFiles = (folder: string): FileLookup =>
  new FolderFiles(folder, (path) => !path.startsWith(FUNCTIONS_FOLDER))
