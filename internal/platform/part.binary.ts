/** Runs a program of part-name.ts from its bundled text in the binary's assets. */
import { createRequire } from 'node:module'
import process from 'node:process'
import type { PartName } from './part-name.ts'
import { runChunk } from './run-chunk.ts'

export const runPart = async (name: PartName): Promise<void> => {
  runChunk(`${name}-part.js`, createRequire(process.execPath), { exports: {} })
}
