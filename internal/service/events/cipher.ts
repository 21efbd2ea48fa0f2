/** Encrypts the data of events with the workspace's key, bound to the event. */
import { JsonText, joinFields } from '#core/json/text.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Keyring } from '#crypto/keyring.ts'

type Address = Readonly<{ ws: string; id: string; wrappedKey: string }>

const PLACE = 'event|data'

export const sealEventData = (
  keyring: Keyring,
  { ws, id, wrappedKey }: Address,
  dataJson: string,
): string => keyring.scoped(wrappedKey, ws, id).encrypt(PLACE, dataJson)

/** Returns the data as JSON. @throws {Error} the text was changed, moved, or encrypted with another key */
export const openEventJson = (
  keyring: Keyring,
  { ws, id, wrappedKey }: Address,
  text: string,
): string => keyring.scoped(wrappedKey, ws, id).decrypt(PLACE, text)

/** @throws {Error} the text was changed, moved, or encrypted with another key */
export const openEventData = (keyring: Keyring, address: Address, text: string): JsonValue =>
  JSON.parse(openEventJson(keyring, address, text))

type EventFields = Readonly<{
  id: string
  name: string
  key: string | null
  dataJson: string
  /** Milliseconds since 1970. */
  at: number
}>

/** Returns what `ctx.waitForEvent` returns, as JSON. The data is not parsed, because large data may have many waits. */
export const receivedEventJson = ({ id, name, key, dataJson, at }: EventFields): string =>
  joinFields({ id, name, key, data: new JsonText(dataJson), at: new Date(at).toISOString() }).text
