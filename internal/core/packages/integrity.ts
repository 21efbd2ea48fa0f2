/** Hashes of packages as lock files write them (Subresource Integrity): `sha512-<base64>`. Pure. */

/** From the strongest to the weakest. A lock file of an old package may have sha1 only. */
const ALGORITHMS = ['sha512', 'sha384', 'sha256', 'sha1'] as const
const DIGEST_BYTES = { sha512: 64, sha384: 48, sha256: 32, sha1: 20 } as const

export type Integrity = Readonly<{ algorithm: (typeof ALGORITHMS)[number]; digest: string }>

/** Several hashes fit. A field of megabytes would take seconds. */
export const MAX_INTEGRITY_LENGTH = 2_000

/** Base64 of `bytes` bytes, with its padding. */
const isDigest = (text: string, bytes: number): boolean =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length === Math.ceil(bytes / 3) * 4

/** Returns the strongest hash of an `integrity` field, or null if it has no known one. */
export const parseIntegrity = (text: string): Integrity | null => {
  const parts = text.trim().split(/\s+/)
  for (const algorithm of ALGORITHMS) {
    const part = parts.find((one) => one.startsWith(`${algorithm}-`))
    const digest = part?.slice(algorithm.length + 1).replace(/\?.*$/, '')
    if (digest !== undefined && isDigest(digest, DIGEST_BYTES[algorithm])) {
      return { algorithm, digest }
    }
  }
  return null
}
