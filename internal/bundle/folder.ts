/** Reads an app's folder, for example of a git checkout, under the rules of an upload. Links are passed over unread. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AppFiles, createFileCollector } from './app-files.ts'

const PASSED_OVER = new Set(['.git'])

/** @throws {AppError} unprocessable */
export const readFolder = (root: string): AppFiles => {
  const collector = createFileCollector()
  const visit = (folder: string): void => {
    const entries: Dirent[] = readdirSync(join(root, folder), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (PASSED_OVER.has(entry.name)) continue
      if (entry.isDirectory()) visit(path)
      else if (entry.isFile()) collector.add(path, readFileSync(join(root, path)))
    }
  }
  visit('')
  return collector.files
}
