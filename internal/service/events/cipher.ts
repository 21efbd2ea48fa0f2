/** Encrypts the data of events with the workspace's key, bound to the event. */
import type { JsonValue } from '#core/json/value.ts'
import type { Keyring } from '#crypto/keyring.ts'

type Address = Readonly<{ ws: string; id: string; wrappedKey: string }>

const PLACE = 'event|data'

export const sealEventData = (
  keyring: Keyring,
  { ws, id, wrappedKey }: Address,
  data: JsonValue,
): string => keyring.scoped(wrappedKey, ws, id).encrypt(PLACE, JSON.stringify(data))

/** @throws {Error} the text was changed, moved, or encrypted with another key */
export const openEventData = (
  keyring: Keyring,
  { ws, id, wrappedKey }: Address,
  text: string,
): JsonValue => JSON.parse(keyring.scoped(wrappedKey, ws, id).decrypt(PLACE, text))
