/** Installs the packages of project/package.json into a folder of the system's temporary folder, once per lock file. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PROJECT = join(import.meta.dirname, 'project')
const FILES = ['package.json', 'package-lock.json', '.npmrc'] as const

/** @returns a folder with node_modules */
export const installPackages = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const name of FILES) hash.update(readFileSync(join(PROJECT, name)))
  const folder = join(tmpdir(), `svc-test-packages-${hash.digest('hex').slice(0, 12)}`)
  if (existsSync(folder)) return folder
  // another run may install at the same time: a folder is whole from the moment that it has its name
  const place = mkdtempSync(`${folder}-`)
  for (const name of FILES) copyFileSync(join(PROJECT, name), join(place, name))
  await promisify(execFile)('npm', ['ci', '--no-progress', '--loglevel=error'], { cwd: place })
  try {
    renameSync(place, folder)
  } catch (error) {
    rmSync(place, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
