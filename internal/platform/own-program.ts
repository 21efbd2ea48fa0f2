/** How this program starts itself once more, for a part that runs apart. The binary takes own-program.binary.ts instead. */
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export type ProgramCommand = Readonly<{
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** What it reads beside the command itself. */
  reads: readonly string[]
}>

/**
 * It may read files, for its own source, and do nothing else to this machine, as far as its runtime can hold it.
 * @param word the hidden command
 * @param memoryMb of the heap
 */
export const ownProgram = (word: string, memoryMb: number): ProgramCommand => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const main = join(root, 'cmd', 'svc', 'main.ts')
  // a second checkout may borrow the installed packages by a link
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
      // it looks for a folder to keep things in, and must not find one
      env: { NO_COLOR: '1', DENO_DIR: '/dev/null/svc' },
      reads,
    }
  }
  const options = `--max-old-space-size=${memoryMb} --disallow-code-generation-from-strings --permission --allow-fs-read=*`
  return { command: process.execPath, args: [main, word], env: { NODE_OPTIONS: options }, reads }
}
