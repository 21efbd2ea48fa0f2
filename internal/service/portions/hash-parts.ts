import { hashParts as hashInSteps } from '#bundle/hash-files.ts'
import { runStepsInTurns } from '#bundle/steps.ts'
import { takeTurn } from './take-turn.ts'

/** Returns the SHA-256 of the parts in a row, hex. Other work gets a turn between its portions, because 50 MB at once take 80 ms. */
export const hashParts = (parts: readonly Uint8Array[]): Promise<string> =>
  runStepsInTurns(hashInSteps(parts), takeTurn)
