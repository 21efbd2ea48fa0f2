/** The code that a person reads off the phone: six digits, all codes equally likely. */
const CODES = 1_000_000
const DIGITS = 6
const BYTES_A_DRAW = 4
const DRAWS = 4

/**
 * Random bytes for one code. Of each four bytes, one draw in some thousands is rejected, so that all codes are equally likely.
 */
export const RELAY_CODE_RANDOM_BYTES = BYTES_A_DRAW * DRAWS

const FAIR = Math.floor(2 ** 32 / CODES) * CODES

export const RELAY_CODE = /^[0-9]{6}$/

/** @param random RELAY_CODE_RANDOM_BYTES bytes of a cryptographic source */
export const makeRelayCode = (random: Uint8Array): string => {
  const view = new DataView(random.buffer, random.byteOffset, random.byteLength)
  for (let at = 0; at + BYTES_A_DRAW <= random.length; at += BYTES_A_DRAW) {
    const drawn = view.getUint32(at)
    if (drawn < FAIR) return String(drawn % CODES).padStart(DIGITS, '0')
  }
  throw new Error('Too few random bytes for a relay code.')
}
