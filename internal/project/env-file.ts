/** Variables for local runs: `NAME=value` lines of `.env`, which is never deployed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads the variables of the folder's `.env`. @returns an empty record if the file does not exist */
export const readVariables = (folder: string): Readonly<Record<string, string>> => {
  let text = ''
  try {
    text = readFileSync(join(folder, '.env'), 'utf8')
  } catch {
    return {}
  }
  return Object.fromEntries(
    [...text.matchAll(/^\s*([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/gm)].map(
      ([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/, '$2')],
    ),
  )
}
