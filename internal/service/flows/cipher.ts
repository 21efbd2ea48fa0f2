/**
 * What flows keep is encrypted with the workspace's key: start inputs, results, and the inputs and results of child jobs
 * (document 1, rule 10). Each text is bound to its place, so that it opens nowhere else.
 */
import type { JsonValue } from '#core/json.ts'
import type { Keyring } from '#crypto/keyring.ts'

export type FlowCipher = Readonly<{
  seal: (place: string, value: JsonValue) => string
  /** @throws {Error} changed, moved, or of another key */
  open: (place: string, text: string) => JsonValue
}>

export type CipherOwner = Readonly<{ ws: string; wrappedKey: string }>

export const flowCipher = (keyring: Keyring, { ws, wrappedKey }: CipherOwner): FlowCipher => ({
  seal: (place, value) => keyring.encrypt(wrappedKey, ws, place, JSON.stringify(value)),
  open: (place, text) => JSON.parse(keyring.decrypt(wrappedKey, ws, place, text)),
})

export const runPlace = (runId: string, field: string): string => `flow_runs|${runId}|${field}`

export const stepPlace = (runId: string, index: number, field: string): string =>
  `flow_steps|${runId}|${index}|${field}`

/** What was never sealed is JSON as it stands: a cancel's reason, say. */
export const isSealed = (text: string): boolean => text.startsWith('v1.')

export type SlotAddress = Readonly<{ runId: string; index: number; slot: number }>

/** Of every try of a slot: the next one takes over the input of the last. */
export const slotPlace = ({ runId, index, slot }: SlotAddress, field: string): string =>
  `flow_slots|${runId}|${index}|${slot}|${field}`
