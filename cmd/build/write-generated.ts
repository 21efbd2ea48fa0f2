import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'

/** Writes a generated file, or with `--check` exits 1 if the committed one is stale. */
export const writeGenerated = (path: string, source: string): void => {
  const current = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (current === source) return
  if (process.argv.includes('--check')) {
    process.stderr.write(`${relative('.', path)} is stale. Run \`make generate\` and commit it.\n`)
    process.exitCode = 1
    return
  }
  writeFileSync(path, source)
}
