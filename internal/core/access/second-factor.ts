/** The second factor's codes, as people type them. Pure. */

/** Leaves out letters and digits that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const LENGTH = 10
const RECOVERY_CODES = 10
/** Random bytes that make all recovery codes. */
export const RECOVERY_RANDOM_BYTES = RECOVERY_CODES * LENGTH

/** Makes ten codes such as `k3fxq-8m2ab`. @param random RECOVERY_RANDOM_BYTES bytes of a cryptographic source */
export const makeRecoveryCodes = (random: Uint8Array): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, (_, code) => {
    const bytes = random.subarray(code * LENGTH, (code + 1) * LENGTH)
    // 256 is a multiple of 32, so each letter is equally likely
    const text = [...bytes].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
    return `${text.slice(0, LENGTH / 2)}-${text.slice(LENGTH / 2)}`
  })

export type TypedCode = Readonly<{ kind: 'totp' | 'recovery'; code: string }>

/** Reads what a person typed, with any spaces, hyphens and capitals. @returns null if it is neither kind */
export const readTypedCode = (typed: string): TypedCode | null => {
  const code = typed.replaceAll(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code }
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter))
    ? { kind: 'recovery', code }
    : null
}
