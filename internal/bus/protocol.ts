/**
 * What nodes say to each other. A server challenges whoever connects; the other answers with a proof and a challenge of
 * its own; then both are peers and send hints. A hint is a kind and a key: it carries no facts and may be lost.
 */
import { z } from 'zod'
import { ISOLATION_LEVELS } from '#core/isolation-level.ts'

/** By the names that they have inside a process (service/hints.ts). */
export const HINT_KINDS = [
  'jobQueued',
  'cancelRequested',
  'scheduleChanged',
  'jobChanged',
  'jobLogged',
  'flowChanged',
  'relayChanged',
] as const
export type HintKind = (typeof HINT_KINDS)[number]

const name = z.string().min(1).max(200)

/** What a worker says of itself; `running` is told anew every few seconds. */
const workerFacts = z.object({
  group: name,
  tags: z.array(name).max(200),
  // absent in what workers of an earlier version say
  level: z.enum(ISOLATION_LEVELS).default('none'),
  /** Empty: all. */
  workspaces: z.array(name).max(10_000).default([]),
  concurrency: z.int().min(0),
  running: z.int().min(0),
})

/** Who a node is. */
const nodeFacts = z.object({
  id: z.uuid(),
  name,
  version: name,
  serves: z.boolean(),
  schedules: z.boolean(),
  /** Null: it runs no jobs. */
  worker: workerFacts.nullable(),
})
export type NodeFacts = z.infer<typeof nodeFacts>
export type WorkerFacts = z.infer<typeof workerFacts>

const text = z.string().max(200)
const keys = z.array(text).max(10_000)

const busMessage = z.discriminatedUnion('t', [
  z.object({ t: z.literal('challenge'), nonce: text }),
  z.object({ t: z.literal('hello'), nonce: text, proof: text, node: nodeFacts }),
  z.object({ t: z.literal('welcome'), proof: text, node: nodeFacts }),
  z.object({ t: z.literal('alive'), running: z.int().min(0).nullable() }),
  z.object({ t: z.literal('hints'), hints: z.partialRecord(z.enum(HINT_KINDS), keys) }),
])
export type BusMessage = z.infer<typeof busMessage>

/** @throws {Error} it is no message */
export const readMessage = (data: string): BusMessage => busMessage.parse(JSON.parse(data))

/** Which hints a node has a use for. */
export const wants = (node: NodeFacts, kind: HintKind, key: string): boolean => {
  switch (kind) {
    case 'jobQueued':
      return node.worker?.tags.includes(key) ?? false
    case 'cancelRequested':
      return node.worker !== null
    case 'scheduleChanged':
      return node.schedules
    case 'jobChanged':
    case 'jobLogged':
    case 'flowChanged':
    case 'relayChanged':
      return node.serves
  }
}

/** Where servers listen for other nodes. */
export const BUS_PATH = '/api/bus'

/** Longer ones are cut off by the receiver. */
export const MAX_MESSAGE_BYTES = 1_048_576
