/**
 * Encrypts what flows keep with the workspace's key: start inputs, results, and the inputs and results of child jobs
 * [flows 14.1]. Each text is bound to its run and its place, so that it cannot be decrypted elsewhere.
 */

import { jsonOf, jsonPartsOf } from '#core/json/kept-text.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Keyring } from '#crypto/keyring.ts'
import type { Database } from '#store/database.ts'
import { requireRoom } from '#store/value-size.ts'
import { MOST_IN_A_ROW } from '../portions/pace.ts'
import { parseJson } from '../portions/parse-json.ts'
import { takeTurn } from '../portions/take-turn.ts'

export type Place = Readonly<{ runId: string; name: string }>

export type FlowCipher = Readonly<{
  seal: (place: Place, value: JsonValue) => string
  /** Like `seal`, for values of any size: it lets the event loop run. */
  write: (place: Place, value: JsonValue) => Promise<string>
  /** For a value that is JSON already. */
  sealJson: (place: Place, json: string) => string
  /** @throws {Error} the text was changed, moved, or encrypted with another key */
  open: (place: Place, text: string) => JsonValue
  /** Like `open`, for values of any size: it lets the event loop run. @throws {Error} as `open` */
  read: (place: Place, text: string) => Promise<JsonValue>
  /** Returns the JSON of the value, for callers that only pass it on. @throws {Error} as `open` */
  openJson: (place: Place, text: string) => string
  /** Like `openJson`, for values of any size: it lets the event loop run. @throws {Error} as `open` */
  readJson: (place: Place, text: string) => Promise<string>
}>

/** A part takes as long as so many characters, in addition to its own. */
const PART_COST = 50

/** Writes a value of any size as JSON, and lets the event loop run. */
const writeJson = async (value: JsonValue): Promise<string> => {
  const parts: string[] = []
  let cost = 0
  for (const part of jsonPartsOf(value)) {
    parts.push(part)
    cost += part.length + PART_COST
    if (cost < MOST_IN_A_ROW) continue
    cost = 0
    await takeTurn()
  }
  return parts.join('')
}

/** Characters from which a text is encrypted in parts. */
const LARGE = 1_048_576

export type CipherOwner = Readonly<{ ws: string; wrappedKey: string }>

/** Encrypts and decrypts the values of flow runs with the workspace's data key, each bound to its run and place. */
export const flowCipher = (keyring: Keyring, { ws, wrappedKey }: CipherOwner): FlowCipher => {
  const sealJson: FlowCipher['sealJson'] = ({ runId, name }, json) =>
    keyring.scoped(wrappedKey, ws, runId).encrypt(name, json)
  const openJson: FlowCipher['openJson'] = ({ runId, name }, text) =>
    keyring.scoped(wrappedKey, ws, runId).decrypt(name, text)
  const readJson: FlowCipher['readJson'] = async ({ runId, name }, text) =>
    keyring.scoped(wrappedKey, ws, runId).decryptInParts(name, text, takeTurn)
  const write: FlowCipher['write'] = async ({ runId, name }, value) => {
    const json = await writeJson(value)
    return json.length < LARGE
      ? sealJson({ runId, name }, json)
      : keyring.scoped(wrappedKey, ws, runId).encryptInParts(name, json, takeTurn)
  }
  return {
    seal: (place, value) => sealJson(place, jsonOf(value)),
    write,
    sealJson,
    open: (place, text) => JSON.parse(openJson(place, text)),
    read: async (place, text) => parseJson(await readJson(place, text)),
    openJson,
    readJson,
  }
}

/** Creates a cipher for values to store. Its `seal` and `sealJson` throw ValueTooLarge where the database would refuse. */
export const storingFlowCipher = (
  { keyring, db }: Readonly<{ keyring: Keyring; db: Database }>,
  owner: CipherOwner,
): FlowCipher => {
  const cipher = flowCipher(keyring, owner)
  // base64url: a character is a byte
  const checked = (sealed: string): string => {
    requireRoom(db, sealed.length)
    return sealed
  }
  return {
    ...cipher,
    seal: (place, value) => checked(cipher.seal(place, value)),
    write: async (place, value) => checked(await cipher.write(place, value)),
    sealJson: (place, json) => checked(cipher.sealJson(place, json)),
  }
}

/** The place of a value of a run, to which its encryption is bound. */
export const runPlace = (runId: string, field: string): Place => ({ runId, name: `run|${field}` })

/** The place of a value of a step, to which its encryption is bound. */
export const stepPlace = (runId: string, index: number, field: string): Place => ({
  runId,
  name: `step|${index}|${field}`,
})

export type SlotAddress = Readonly<{ runId: string; index: number; slot: number }>

/** The place of a value of a child. It is the same for every attempt, because the next attempt reuses the input of the last. */
export const slotPlace = ({ runId, index, slot }: SlotAddress, field: string): Place => ({
  runId,
  name: `slot|${index}|${slot}|${field}`,
})

/** The place of an approver's answer, to which its encryption is bound. */
export const approvalPlace = (runId: string, index: number, approver: string): Place => ({
  runId,
  name: `approval|${index}|${approver}`,
})
