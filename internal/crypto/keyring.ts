/**
 * Encryption at rest. Each workspace has a data key; the instance key wraps it (AES-256-GCM). A ciphertext is bound to
 * the place it stands in (`context`, for example `variables/ws/key`), so that it cannot be moved to another row.
 */
export interface Keyring {
  /** A new data key, wrapped by the instance key: goes into workspaces.wrapped_key. */
  newWrappedKey(ws: string): string
  encrypt(wrappedKey: string, ws: string, context: string, plaintext: string): string
  /** @throws {Error} the text was changed, moved, or belongs to another key */
  decrypt(wrappedKey: string, ws: string, context: string, ciphertext: string): string
  /**
   * The same for many texts of one thing (a flow run): their key is derived once. What one scope has sealed opens in no
   * other.
   */
  scoped(wrappedKey: string, ws: string, scope: string): ScopedCipher
  /** HMAC-SHA256 with a key of the workspace for this purpose alone. */
  sign(wrappedKey: string, ws: string, purpose: string, text: string): Uint8Array
  /** A key for one purpose, 32 bytes, the same on every node with this instance key. */
  derivedKey(purpose: string): Uint8Array
  /** A value to keep in the database by which another node can tell whether its instance key is the same. */
  checkValue(): string
  matches(checkValue: string): boolean
}

export type ScopedCipher = Readonly<{
  encrypt: (context: string, plaintext: string) => string
  /** @throws {Error} the text was changed, moved, or belongs to another key */
  decrypt: (context: string, ciphertext: string) => string
}>
