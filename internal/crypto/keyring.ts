/**
 * Encryption at rest. Each workspace has a data key, wrapped by the instance key (AES-256-GCM). A ciphertext is bound to
 * its place (`context`, for example `variables/ws/key`), so that it cannot be moved to another row.
 */
export interface Keyring {
  /** Creates a data key, wrapped with the instance key, for workspaces.wrapped_key. */
  newWrappedKey(ws: string): string
  /** Wraps a data key with another key, for a copy that leaves this instance. @throws {AppError} unavailable */
  wrapFor(otherKey: Uint8Array, wrappedKey: string, ws: string): string
  /**
   * Takes a data key that is wrapped with another key, and wraps it with the instance key.
   * @throws {Error} it belongs to another key
   */
  wrapFrom(otherKey: Uint8Array, wrapped: string, ws: string): string
  /** Whether the instance key of this node opens the data key. It does not after a rotation. */
  unwraps(wrappedKey: string, ws: string): boolean
  encrypt(wrappedKey: string, ws: string, context: string, plaintext: string): string
  /** @throws {Error} the ciphertext was changed or moved, or belongs to another key */
  decrypt(wrappedKey: string, ws: string, context: string, ciphertext: string): string
  /**
   * Returns a cipher for many values of one scope, such as a flow run; its key is derived once. A value of one scope
   * cannot be decrypted in another.
   */
  scoped(wrappedKey: string, ws: string, scope: string): ScopedCipher
  /** Returns an HMAC-SHA256 with a key of the workspace for this purpose. */
  sign(wrappedKey: string, ws: string, purpose: string, text: string): Uint8Array
  /** Returns a 32-byte key for one purpose, the same on every node with this instance key. */
  derivedKey(purpose: string): Uint8Array
  /** Returns a value for the database, with which another node can check that its instance key is the same. */
  checkValue(): string
  matches(checkValue: string): boolean
}

/** Begins each ciphertext of a scope. */
export const SCOPED_VERSION = 'v2.'

/** Whether a text is a ciphertext of a scope. Next to them, columns also have plain JSON, which never begins like one. */
export const isSealed = (text: string): boolean => text.startsWith(SCOPED_VERSION)

export type ScopedCipher = Readonly<{
  encrypt: (context: string, plaintext: string) => string
  /** Like `encrypt`, for values of any size: it calls `takeTurn` after each part. */
  encryptInParts: (
    context: string,
    plaintext: string,
    takeTurn: () => Promise<void>,
  ) => Promise<string>
  /** @throws {Error} the ciphertext was changed or moved, or belongs to another key */
  decrypt: (context: string, ciphertext: string) => string
  /** Like `decrypt`, for values of any size: it calls `takeTurn` after each part. @throws {Error} as `decrypt` */
  decryptInParts: (
    context: string,
    ciphertext: string,
    takeTurn: () => Promise<void>,
  ) => Promise<string>
}>
