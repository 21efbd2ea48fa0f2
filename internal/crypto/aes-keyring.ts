/**
 * Implements the keyring with AES-256-GCM. A ciphertext has the form `v1.<base64url of salt, nonce, tag, ciphertext>`; each
 * value has its own key, derived from the data key and a random salt, so that no key reaches the limit of random nonces.
 * Ciphertexts of a scope have the form `v2.<base64url of nonce, tag, ciphertext>`, with a key derived from the data key and
 * the scope's name; a scope such as a flow run has a few thousand values at most. Large values are deflated first and have
 * the form `v2.~<base64url>`, because sqld takes at most 5,000,000 bytes as one value.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import QuickLRU from 'quick-lru'
import { isKeyChanged, keyChanged } from '#core/instance-key-changed.ts'
import { type Keyring, SCOPED_VERSION, type ScopedCipher } from './keyring.ts'

export const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'
/** Not a character of base64url. */
const DEFLATED = '~'
/** Longer texts are deflated. A text of this size takes 4 MB as base64url. */
const MAX_PLAIN_BYTES = 3_000_000
const MAX_SCOPES = 5_000
/** Number of unwrapped data keys kept in memory; one per active workspace. */
const MAX_UNWRAPPED = 1_000

const dataKeyContext = (ws: string): string => `workspace-key|${ws}`

/** Creates a function that wraps a data key with a new instance key; encrypted values stay unchanged. */
export const createRewrapper =
  (from: Uint8Array, to: Uint8Array) =>
  (wrapped: string, ws: string): string =>
    seal(to, dataKeyContext(ws), open(from, dataKeyContext(ws), wrapped))

const derive = (key: Uint8Array, salt: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, purpose, KEY_BYTES))

const seal = (key: Uint8Array, context: string, plaintext: Uint8Array): string => {
  const salt = randomBytes(SALT_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', derive(key, salt, 'svc value'), nonce)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return VERSION + Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString('base64url')
}

const open = (key: Uint8Array, context: string, text: string): Buffer => {
  if (!text.startsWith(VERSION)) throw new Error('An encrypted value has an unknown format.')
  const bytes = Buffer.from(text.slice(VERSION.length), 'base64url')
  const nonceAt = SALT_BYTES
  const tagAt = nonceAt + NONCE_BYTES
  const bodyAt = tagAt + TAG_BYTES
  if (bytes.length < bodyAt) throw new Error('An encrypted value is truncated.')
  const valueKey = derive(key, bytes.subarray(0, nonceAt), 'svc value')
  const decipher = createDecipheriv('aes-256-gcm', valueKey, bytes.subarray(nonceAt, tagAt))
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(bytes.subarray(tagAt, bodyAt))
  return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()])
}

/** Generates nonces in batches, because single small reads of random bytes are slow. */
const createNonces = (): (() => Buffer) => {
  let pool = Buffer.alloc(0)
  return () => {
    if (pool.length < NONCE_BYTES) pool = randomBytes(NONCE_BYTES * 256)
    const nonce = pool.subarray(0, NONCE_BYTES)
    pool = pool.subarray(NONCE_BYTES)
    return nonce
  }
}

type Sealed = Readonly<{ context: string; isDeflated: boolean }>

/** The form is authenticated too, so that a value cannot be read as one of the other form. */
const scopedContext = ({ context, isDeflated }: Sealed): Buffer =>
  Buffer.from(isDeflated ? `${context}|deflated` : context, 'utf8')

/** Characters of base64url, and bytes of a text, that are decoded at once. It takes about 2 ms. */
const PART = 1_048_576
/** Characters of base64url that hold the nonce, the tag and the first bytes of the body: whole groups of 4. */
const HEAD = 40

/** Bytes that are encoded as base64url at once: whole groups of 3. */
const ENCODED = 786_432

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)]
const FASTEST = { level: 1 }

const beginDecipher = (key: KeyObject, context: string, ciphertext: string) => {
  if (!ciphertext.startsWith(SCOPED_VERSION))
    throw new Error('An encrypted value has an unknown format.')
  const isDeflated = ciphertext.startsWith(DEFLATED, SCOPED_VERSION.length)
  const textAt = SCOPED_VERSION.length + (isDeflated ? DEFLATED.length : 0)
  const restAt = textAt + HEAD
  const bytes = Buffer.from(ciphertext.slice(textAt, restAt), 'base64url')
  const bodyAt = NONCE_BYTES + TAG_BYTES
  if (bytes.length < bodyAt) throw new Error('An encrypted value is truncated.')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(scopedContext({ context, isDeflated }))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, bodyAt))
  return { decipher, isDeflated, first: decipher.update(bytes.subarray(bodyAt)), restAt }
}

const decryptScoped = (key: KeyObject, context: string, ciphertext: string): string => {
  const { decipher, isDeflated, first, restAt } = beginDecipher(key, context, ciphertext)
  const rest = decipher.update(Buffer.from(ciphertext.slice(restAt), 'base64url'))
  const packed = Buffer.concat([first, rest, decipher.final()])
  return (isDeflated ? inflateRawSync(packed) : packed).toString('utf8')
}

const beginCipher = (key: KeyObject, nonce: Buffer, context: string, plaintext: string) => {
  const bytes = Buffer.from(plaintext, 'utf8')
  const isDeflated = bytes.length > MAX_PLAIN_BYTES
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(scopedContext({ context, isDeflated }))
  return { cipher, bytes, isDeflated, prefix: `${SCOPED_VERSION}${isDeflated ? DEFLATED : ''}` }
}

const scopedCipher = (key: KeyObject, nextNonce: () => Buffer): ScopedCipher => ({
  encrypt: (context, plaintext) => {
    const nonce = nextNonce()
    const { cipher, bytes, isDeflated, prefix } = beginCipher(key, nonce, context, plaintext)
    const packed = isDeflated ? deflateRawSync(bytes, FASTEST) : bytes
    const body = Buffer.concat([cipher.update(packed), cipher.final()])
    return prefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
  },
  encryptInParts: async (context, plaintext, takeTurn) => {
    const nonce = nextNonce()
    const { cipher, bytes, isDeflated, prefix } = beginCipher(key, nonce, context, plaintext)
    const packed = isDeflated ? await deflate(bytes, FASTEST) : bytes
    const parts: Buffer[] = []
    for (let at = 0; at < packed.length; at += PART) {
      parts.push(cipher.update(packed.subarray(at, at + PART)))
      await takeTurn()
    }
    parts.push(cipher.final())
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ...parts])
    let text = prefix
    for (let at = 0; at < sealed.length; at += ENCODED) {
      text += sealed.subarray(at, at + ENCODED).toString('base64url')
      await takeTurn()
    }
    return text
  },
  decrypt: (context, ciphertext) => decryptScoped(key, context, ciphertext),
  decryptInParts: async (context, ciphertext, takeTurn) => {
    const { decipher, isDeflated, first, restAt } = beginDecipher(key, context, ciphertext)
    if (!isDeflated && ciphertext.length < PART) return decryptScoped(key, context, ciphertext)
    const parts = [first]
    for (let at = restAt; at < ciphertext.length; at += PART) {
      parts.push(decipher.update(Buffer.from(ciphertext.slice(at, at + PART), 'base64url')))
      await takeTurn()
    }
    const packed = Buffer.concat([...parts, decipher.final()])
    const bytes = isDeflated ? await inflate(packed) : packed
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    let text = ''
    for (let at = 0; at < bytes.length; at += PART) {
      text += decoder.decode(bytes.subarray(at, at + PART), { stream: at + PART < bytes.length })
      await takeTurn()
    }
    return text
  },
})

/** Creates a keyring. @param instanceKey KEY_BYTES bytes */
export const createAesKeyring = (instanceKey: Uint8Array): Keyring => {
  const unwrapped = new QuickLRU<string, Buffer>({ maxSize: MAX_UNWRAPPED })
  const scopes = new QuickLRU<string, ScopedCipher>({ maxSize: MAX_SCOPES })
  const nextNonce = createNonces()

  const dataKey = (wrapped: string, ws: string): Buffer => {
    // the name includes the workspace, so that a wrapped key copied to another workspace's row does not match the cache
    const name = `${ws}|${wrapped}`
    const cached = unwrapped.get(name)
    if (cached !== undefined) return cached
    const key = openDataKey(wrapped, ws)
    unwrapped.set(name, key)
    return key
  }

  const openDataKey = (wrapped: string, ws: string): Buffer => {
    try {
      return open(instanceKey, dataKeyContext(ws), wrapped)
    } catch (error) {
      throw keyChanged(error)
    }
  }

  const checkValue = (): string =>
    createHmac('sha256', instanceKey).update('svc instance key').digest('base64url')

  return {
    newWrappedKey: (ws) => seal(instanceKey, dataKeyContext(ws), randomBytes(KEY_BYTES)),
    wrapFor: (otherKey, wrapped, ws) =>
      seal(otherKey, dataKeyContext(ws), openDataKey(wrapped, ws)),
    wrapFrom: (otherKey, wrapped, ws) => createRewrapper(otherKey, instanceKey)(wrapped, ws),
    encrypt: (wrapped, ws, context, plaintext) =>
      seal(dataKey(wrapped, ws), `${ws}|${context}`, Buffer.from(plaintext, 'utf8')),
    decrypt: (wrapped, ws, context, ciphertext) =>
      open(dataKey(wrapped, ws), `${ws}|${context}`, ciphertext).toString('utf8'),
    scoped: (wrapped, ws, scope) => {
      const name = `${ws}|${wrapped}|${scope}`
      const cached = scopes.get(name)
      if (cached !== undefined) return cached
      const key = derive(dataKey(wrapped, ws), Buffer.from(scope, 'utf8'), 'svc scope')
      const made = scopedCipher(createSecretKey(key), nextNonce)
      scopes.set(name, made)
      return made
    },
    sign: (wrapped, ws, purpose, text) =>
      createHmac('sha256', derive(dataKey(wrapped, ws), new Uint8Array(0), `svc ${purpose}`))
        .update(text)
        .digest(),
    unwraps: (wrapped, ws) => {
      try {
        dataKey(wrapped, ws)
        return true
      } catch (error) {
        if (isKeyChanged(error)) return false
        throw error
      }
    },
    derivedKey: (purpose) => derive(instanceKey, new Uint8Array(0), purpose),
    checkValue,
    matches: (other) => {
      const mine = Buffer.from(checkValue())
      const theirs = Buffer.from(other)
      return mine.length === theirs.length && timingSafeEqual(mine, theirs)
    },
  }
}
