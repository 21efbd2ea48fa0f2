/** The command with which the binary starts itself again. */
import process from 'node:process'
import type { ProgramCommand } from './own-program.ts'
import { PART_FLAG } from './part-name.ts'

/** @param memoryMb limit of the heap, MiB */
export const ownProgram = (word: string, memoryMb: number): ProgramCommand => ({
  command: process.execPath,
  args: [word],
  // through NODE_OPTIONS, because a single-file executable accepts no arguments for Node
  env: {
    NODE_OPTIONS: `--max-old-space-size=${memoryMb} ${PART_FLAG} --permission --allow-fs-read=*`,
  },
  reads: [],
})
