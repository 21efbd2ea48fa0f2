/** The text of an API key of the parser and the relay [access 12.2]: `keyId.secret`. */
import { toBase62 } from './token-text.ts'

const ID_LENGTH = 16
const SECRET_LENGTH = 40

/** So many random bytes make one key: two spare ones for each that modulo bias rejects. */
export const API_KEY_RANDOM_BYTES = (ID_LENGTH + SECRET_LENGTH) * 3

export type ApiKeyText = Readonly<{
  /** Names the key; no secret. */
  keyId: string
  secret: string
}>

/** @param random API_KEY_RANDOM_BYTES bytes of a cryptographic source */
export const makeApiKeyText = (random: Uint8Array): ApiKeyText => {
  const characters = toBase62(random, ID_LENGTH + SECRET_LENGTH)
  return { keyId: `ak_${characters.slice(0, ID_LENGTH)}`, secret: characters.slice(ID_LENGTH) }
}

export const formatApiKey = ({ keyId, secret }: ApiKeyText): string => `${keyId}.${secret}`

const SHAPE = /^(ak_[0-9A-Za-z]{16})\.([0-9A-Za-z]{40})$/

/** Null: no key of ours. */
export const parseApiKey = (text: string): ApiKeyText | null => {
  const [, keyId, secret] = SHAPE.exec(text) ?? []
  return keyId === undefined || secret === undefined ? null : { keyId, secret }
}
