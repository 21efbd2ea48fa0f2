/** Paths of modules inside an app, and the file that a path without extension names. Pure. */
import type { FileLookup } from './file-lookup.ts'

/** Joins `a/b` and `../c/d` to `a/c/d`; returns null when the result is outside the app. */
export const joinPath = (folder: string, relative: string): string | null => {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of relative.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** Returns the folder of a file; an empty text for the root of the app. */
export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

/** Returns the folder and its parents: the folder itself first, the app's root (an empty text) last. */
export const foldersUpwards = (folder: string): readonly string[] => {
  const parts = folder === '' ? [] : folder.split('/')
  return [...parts.keys(), parts.length].reverse().map((length) => parts.slice(0, length).join('/'))
}

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs', '.cjs', '.json'] as const
const SUFFIXES = ['', ...EXTENSIONS, ...EXTENSIONS.map((extension) => `/index${extension}`)]

/** TypeScript's convention: `./x.js` names x.ts. */
const TYPESCRIPT = /\.([mc]?)js(x?)$/

/** Returns the file that an import path names, trying extensions and index files; null when there is none. */
export const findModule = (files: FileLookup, path: string): string | null => {
  const found = SUFFIXES.find((suffix) => files.has(path + suffix))
  if (found !== undefined) return path + found
  const source = path.replace(TYPESCRIPT, '.$1ts$2')
  return source !== path && files.has(source) ? source : null
}
