/** The line that gives a guest a bundle, in parts, because to encode 10 MB at once blocks the event loop for 50 ms. */
import { Buffer } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { jsonParts } from '#core/json/text-parts.ts'
import type { SandboxRun } from '../sandbox.ts'

/** Characters of code that are encoded in up to 4 ms. */
const PART_CHARACTERS = 524_288

/** Encodes the code of a run. The event loop runs between the parts. */
export const encodeCode = async (
  { bundleHash, entrypoint }: Pick<SandboxRun, 'bundleHash' | 'entrypoint'>,
  code: string,
): Promise<readonly Uint8Array[]> => {
  const head = JSON.stringify({ t: 'code', hash: bundleHash, entrypoint })
  const parts = [Buffer.from(`${head.slice(0, -1)},"code":"`)]
  for (const part of jsonParts(code, PART_CHARACTERS)) {
    if (code.length > PART_CHARACTERS) await nextTurn()
    parts.push(Buffer.from(part))
  }
  parts.push(Buffer.from('"}\n'))
  return parts
}
