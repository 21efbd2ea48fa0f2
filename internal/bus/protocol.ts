/**
 * The messages between nodes. A server sends a challenge to a connecting node, which answers with a proof and its own
 * challenge. Then both are peers and send hints. A hint is a kind and a key: it carries no data and may be lost.
 */
import { z } from 'zod'
import { workerFacts } from '#core/placement/worker-facts.ts'

/** Named like the signals inside a process (service/hints.ts). */
export const HINT_KINDS = [
  'jobQueued',
  'cancelRequested',
  'scheduleChanged',
  'written',
  'jobChanged',
  'jobLogged',
  'flowChanged',
  'relayChanged',
  'agentCallCanceled',
  'placeChanged',
] as const
export type HintKind = (typeof HINT_KINDS)[number]

const name = z.string().min(1).max(200)

/** Facts of a node. */
const nodeFacts = z.object({
  id: z.uuid(),
  name,
  version: name,
  serves: z.boolean(),
  schedules: z.boolean(),
  /** Null when the node runs no jobs. `running` and `cells` are updated every few seconds. */
  worker: workerFacts.nullable(),
})
export type NodeFacts = z.infer<typeof nodeFacts>

const text = z.string().max(200)
const keys = z.array(text).max(10_000)

/** Keeps the kinds that this node knows. A newer node may send others. */
const knownHints = (
  hints: Readonly<Record<string, string[]>>,
): Partial<Record<HintKind, string[]>> =>
  Object.fromEntries(
    HINT_KINDS.flatMap((kind) => (hints[kind] === undefined ? [] : [[kind, hints[kind]]])),
  )

const busMessage = z.discriminatedUnion('t', [
  z.object({ t: z.literal('challenge'), nonce: text }),
  z.object({ t: z.literal('hello'), nonce: text, proof: text, node: nodeFacts }),
  z.object({ t: z.literal('welcome'), proof: text, node: nodeFacts }),
  z.object({
    t: z.literal('alive'),
    running: z.int().min(0).nullable(),
    /** The cells of the worker, which opens further ones after it has joined. */
    cells: workerFacts.shape.cells.optional(),
  }),
  z.object({
    t: z.literal('hints'),
    hints: z.record(z.string(), keys).transform(knownHints),
    /** Tags of `jobQueued` for whose jobs the sender's own worker has room. */
    taken: keys.optional(),
  }),
])
export type BusMessage = z.infer<typeof busMessage>

const KNOWN: ReadonlySet<string> = new Set(busMessage.options.map(({ shape }) => shape.t.value))
const anyMessage = z.looseObject({ t: z.string() })

/**
 * Parses a message.
 * @returns null for a kind that a newer node knows and this one does not
 * @throws {Error} it is malformed
 */
export const readMessage = (data: string): BusMessage | null => {
  const message = anyMessage.parse(JSON.parse(data))
  return KNOWN.has(message.t) ? busMessage.parse(message) : null
}

/** The key of a `written` hint that a server has passed on. Servers do not pass it on again. */
export const PASSED_ON = 'passed_on'

/** Returns whether a node needs a hint. For `jobQueued`, handout.ts chooses the nodes instead. */
export const wants = (node: NodeFacts, kind: HintKind): boolean => {
  switch (kind) {
    case 'jobQueued':
      return false
    case 'cancelRequested':
      return node.worker !== null
    case 'scheduleChanged':
      return node.schedules
    case 'written':
      // a server passes it on, because workers and schedulers are not connected to each other
      return node.schedules || node.serves
    case 'jobChanged':
    case 'jobLogged':
    case 'flowChanged':
    case 'relayChanged':
    case 'agentCallCanceled':
    case 'placeChanged':
      return node.serves
  }
}

/** The path at which servers accept connections of other nodes. */
export const BUS_PATH = '/api/bus'

/** Bytes; the receiver closes the connection on a longer message. */
export const MAX_MESSAGE_BYTES = 1_048_576
