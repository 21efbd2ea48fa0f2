/** Checks whether the result of a job is valid JSON within its limits. */
import { Buffer } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_JSON_DEPTH } from '#core/json/depth.ts'
import { createJsonScan, type JsonVerdict } from '#core/json/scan.ts'
import type { SandboxLimits, SandboxOutcome } from '../sandbox.ts'
import { forged, invalidResult, resultTooLarge } from './failures.ts'

/** A few milliseconds of work on a busy machine. */
const SCAN_CHARACTERS = 65_536

/** Scans in parts, so that a large result does not block other jobs. */
const scan = async (json: string): Promise<JsonVerdict> => {
  const reading = createJsonScan(json, { depth: MAX_JSON_DEPTH })
  for (;;) {
    const verdict = reading.advance(SCAN_CHARACTERS)
    if (verdict !== null) return verdict
    await nextTurn()
  }
}

/** Passes the text on unparsed. It is scanned once, because other texts embed it as JSON. */
export const judgeResult = async (json: string, limits: SandboxLimits): Promise<SandboxOutcome> => {
  if (Buffer.byteLength(json) > limits.resultBytes) return resultTooLarge(limits)
  const verdict = await scan(json)
  if (verdict === 'valid') return { kind: 'success', resultJson: json }
  if (verdict === 'too_deep') {
    return invalidResult(`The result nests deeper than ${MAX_JSON_DEPTH} levels.`)
  }
  return forged
}
