/** How the binary starts itself once more. */
import process from 'node:process'
import type { ProgramCommand } from './own-program.ts'

/** @param memoryMb of the heap */
export const ownProgram = (word: string, memoryMb: number): ProgramCommand => ({
  command: process.execPath,
  args: [word],
  // and not as arguments: a single-file executable takes none for Node
  env: {
    NODE_OPTIONS: `--max-old-space-size=${memoryMb} --disallow-code-generation-from-strings --permission --allow-fs-read=*`,
  },
  reads: [],
})
