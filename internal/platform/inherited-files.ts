/**
 * Closes files that a shell or supervisor left open in this process. Processes of jobs would inherit them, and a folder among them
 * leads out of every confinement.
 */
import { closeSync, existsSync, readdirSync, readFileSync } from 'node:fs'

const OPEN_FILES = '/proc/self/fd'
const LAST_STANDARD_STREAM = 2
/** O_CLOEXEC: children do not inherit the file. Node sets it on its own files, and at its start on the first inherited ones. */
const CLOSED_IN_CHILDREN = 0o2000000

const isInherited = (descriptor: number): boolean => {
  const facts = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')
  const flags = Number.parseInt(/^flags:\s*(\d+)/m.exec(facts)?.[1] ?? '0', 8)
  return (flags & CLOSED_IN_CHILDREN) === 0
}

/** On Linux; elsewhere children may inherit such files. */
export const closeInheritedFiles = (): void => {
  if (!existsSync(OPEN_FILES)) return
  for (const descriptor of readdirSync(OPEN_FILES).map(Number)) {
    if (descriptor <= LAST_STANDARD_STREAM) continue
    try {
      if (isInherited(descriptor)) closeSync(descriptor)
    } catch {
      // the descriptor of the listing itself is closed by now
    }
  }
}
