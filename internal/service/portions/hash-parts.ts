import { createHash } from 'node:crypto'
import { MIB } from '#core/byte-units.ts'
import { takeTurn } from './take-turn.ts'

/** Bytes that are hashed at once. 50 MB at once take 80 ms, in which the node does nothing else. */
const PORTION = 4 * MIB

/** Returns the SHA-256 of the parts in a row, hex. Other work gets a turn between its portions. */
export const hashParts = async (parts: readonly Uint8Array[]): Promise<string> => {
  const hash = createHash('sha256')
  let hashed = 0
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PORTION) {
      const piece = part.subarray(at, at + PORTION)
      if (hashed + piece.length > PORTION) {
        await takeTurn()
        hashed = 0
      }
      hash.update(piece)
      hashed += piece.length
    }
  }
  return hash.digest('hex')
}
