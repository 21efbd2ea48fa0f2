/** What a chaos run starts. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const PATH = join(ROOT, 'dist', 'svc')

/** The product, not its source. @throws {Error} it is not built */
export const requireDistSvc = (): readonly string[] => {
  if (!existsSync(PATH)) throw new Error('dist/svc is not built. Run: make build')
  return [PATH]
}
