/** The command with which this program starts one of its parts as a process. The binary uses own-program.binary.ts. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export type ProgramCommand = Readonly<{
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Files that it reads in addition to the command itself. */
  reads: readonly string[]
}>

/**
 * Returns the command. The process may read files, because it needs its own source. As far as its runtime can
 * enforce it, it may do nothing else to this machine.
 * @param word the hidden command
 * @param memoryMb limit of the heap, MiB
 */
export const ownProgram = (word: string, memoryMb: number): ProgramCommand => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const main = join(root, 'cmd', 'svc', 'main.ts')
  // node_modules may be a link into another checkout
  const reads = [root, realpathSync(join(root, 'node_modules'))]
  if ('deno' in process.versions) {
    const flags = [
      '--no-prompt',
      '--allow-read',
      '--allow-env',
      `--v8-flags=--max-old-space-size=${memoryMb}`,
    ]
    return {
      command: process.execPath,
      args: ['run', ...flags, main, word],
      // Deno looks for a cache folder and must not find one
      env: { NO_COLOR: '1', DENO_DIR: '/dev/null/svc' },
      reads,
    }
  }
  const options = `--max-old-space-size=${memoryMb} --disallow-code-generation-from-strings --permission --allow-fs-read=*`
  return { command: process.execPath, args: [main, word], env: { NODE_OPTIONS: options }, reads }
}
