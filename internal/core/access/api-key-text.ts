/** The text of an API key of the parser and the relay [access 12.2]: `keyId.secret`. */
import { API_KEY_FORM, CREDENTIALS, kindOfCredential } from './credentials.ts'
import { toBase62 } from './token-text.ts'

const { idLength: ID_LENGTH, secretLength: SECRET_LENGTH } = API_KEY_FORM

/** Random bytes for one key: three for each character, because biased bytes are rejected. */
export const API_KEY_RANDOM_BYTES = (ID_LENGTH + SECRET_LENGTH) * 3

export type ApiKeyText = Readonly<{
  /** Identifies the key; not secret. */
  keyId: string
  secret: string
}>

/** @param random API_KEY_RANDOM_BYTES bytes of a cryptographic source */
export const makeApiKeyText = (random: Uint8Array): ApiKeyText => {
  const characters = toBase62(random, ID_LENGTH + SECRET_LENGTH)
  return {
    keyId: `${CREDENTIALS.api_key.prefix}${characters.slice(0, ID_LENGTH)}`,
    secret: characters.slice(ID_LENGTH),
  }
}

export const formatApiKey = ({ keyId, secret }: ApiKeyText): string => `${keyId}.${secret}`

/** @returns null if the text is not an API key */
export const parseApiKey = (text: string): ApiKeyText | null => {
  if (kindOfCredential(text) !== 'api_key') return null
  const [keyId = '', secret = ''] = text.split('.')
  return { keyId, secret }
}
