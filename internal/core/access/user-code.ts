/**
 * The code that a person types at device login (RFC 8628, 6.1). It has no vowels, so it forms no words, and no
 * letters that look alike.
 */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Random bytes for one code. Some are rejected, because they would bias the result. */
export const USER_CODE_RANDOM_BYTES = LENGTH * 4

/** 12 * 20 = 240: bytes from there on would make some letters likelier. */
const FAIR = 240

/** @param random USER_CODE_RANDOM_BYTES bytes of a cryptographic source */
export const makeUserCode = (random: Uint8Array): string => {
  let code = ''
  for (const byte of random) {
    if (byte < FAIR) code += ALPHABET.charAt(byte % ALPHABET.length)
    if (code.length === LENGTH) return code
  }
  throw new Error('Too few random bytes for a user code.')
}

/** As people see it: `WDJB-MJHT`. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Reads a code as people type it: case, dashes and spaces do not count. Returns null if it is not a code. */
export const parseUserCode = (text: string): string | null => {
  const code = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const isCode = code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter))
  return isCode ? code : null
}
