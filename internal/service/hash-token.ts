/** Hashes a credential for the database, hex. Tokens are random, so a plain SHA-256 cannot be reversed by guessing. */
import { createHash } from 'node:crypto'

export const hashToken = (text: string): string => createHash('sha256').update(text).digest('hex')
