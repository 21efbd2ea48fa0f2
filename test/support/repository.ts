/** The files of this repository, for tests of its sources and documents. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** @param path from the root */
export const readSource = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
