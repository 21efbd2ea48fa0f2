/** What the database keeps of a credential's text. The texts are random, so a plain hash cannot be guessed backwards. */
import { createHash } from 'node:crypto'

export const hashToken = (text: string): string => createHash('sha256').update(text).digest('hex')
