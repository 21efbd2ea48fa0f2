/** Hashes a credential for the database, hex. Tokens are random, so a plain SHA-256 cannot be reversed by guessing. */
import { Buffer } from 'node:buffer'
import { hash, timingSafeEqual } from 'node:crypto'

/** Returns the SHA-256 of a credential's text in hex. A fast hash suffices, because the text is random. */
export const hashToken = (text: string): string => hash('sha256', text, 'hex')

/** Compares hashes, so that the time it takes does not reveal how many characters were right. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(one)), Buffer.from(hashToken(other)))
