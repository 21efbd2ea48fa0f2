/** One connection to another node, opened by either side, from its first message until it closes. */
import type { WebSocket } from 'ws'
import { type Hints, pickHints } from './hint-batch.ts'
import { isProof, makeNonce, makeProof, type Side } from './proof.ts'
import { type BusMessage, type NodeFacts, readMessage, wants } from './protocol.ts'

export type Peer = Readonly<{
  node: NodeFacts
  /** Time of the last message, in milliseconds since 1970 by this machine's clock. */
  heardAt: number
}>

/** The queued jobs that a node is notified of. */
export type QueuedTags = Readonly<{
  /** One tag for each job. */
  tags: readonly string[]
  /** The tags for whose jobs the worker of this process has room. */
  taken: readonly string[]
}>

export interface Link {
  /** Null until the other side has proved that it has the key. */
  peer(): Peer | null
  send(hints: Hints, queued?: QueuedTags): void
  /** Sends that this node is alive, how many jobs it runs, and of which cells. */
  sendAlive(): void
  close(): void
}

export type LinkOptions = Readonly<{
  socket: WebSocket
  side: Side
  key: Uint8Array
  /** Returns the current facts of this node. */
  describe: () => NodeFacts
  now: () => number
  onJoined: (node: NodeFacts) => void
  onHints: (message: Extract<BusMessage, { t: 'hints' }>) => void
  /** The other side has another instance key. */
  onStranger: () => void
  onClosed: () => void
}>

const PROVE_WITHIN_MS = 5_000
/** Nodes send `alive` every 5 s. A silent node counts as lost, even if its connection is open. */
const SILENT_FOR_MS = 15_000
/** Limit of bytes that the other side has not received yet. Beyond it, hints are dropped. */
const MAX_BUFFERED_BYTES = 4_194_304

/** Runs the protocol on one open WebSocket. */
export const createLink = (options: LinkOptions): Link => {
  const { socket, side, key, describe, now } = options
  const own = makeNonce()
  let node: NodeFacts | null = null
  let heardAt = now()
  let challenge = ''

  const send = (message: BusMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const startTimeout = (): NodeJS.Timeout =>
    setTimeout(() => socket.terminate(), node === null ? PROVE_WITHIN_MS : SILENT_FOR_MS)
  let timeout = startTimeout()

  const refuse = (): void => {
    options.onStranger()
    socket.close(4401, 'another instance key')
  }
  const join = (other: NodeFacts): void => {
    node = other
    options.onJoined(other)
  }

  const answerChallenge = (nonce: string): void => {
    challenge = nonce
    const proof = makeProof(key, 'client', { client: own, server: challenge })
    send({ t: 'hello', nonce: own, proof, node: describe() })
  }
  const admit = ({ nonce, proof, node: other }: Extract<BusMessage, { t: 'hello' }>): void => {
    const nonces = { client: nonce, server: own }
    if (!isProof(key, 'client', { nonces, proof })) {
      refuse()
      return
    }
    send({ t: 'welcome', proof: makeProof(key, 'server', nonces), node: describe() })
    join(other)
  }
  const verifyServer = ({ proof, node: other }: Extract<BusMessage, { t: 'welcome' }>): void => {
    const nonces = { client: own, server: challenge }
    if (isProof(key, 'server', { nonces, proof })) join(other)
    else refuse()
  }
  /** Handles messages until the other side has proved that it has the key. */
  const greet = (message: BusMessage | null): void => {
    if (side === 'client' && message?.t === 'challenge') answerChallenge(message.nonce)
    else if (side === 'server' && message?.t === 'hello') admit(message)
    else if (side === 'client' && message?.t === 'welcome') verifyServer(message)
    else socket.close(4400, 'send a proof first')
  }
  const receive = (other: NodeFacts, message: BusMessage): void => {
    if (message.t === 'hints') options.onHints(message)
    else if (message.t === 'alive' && other.worker !== null && message.running !== null) {
      const { running, cells = other.worker.cells } = message
      node = { ...other, worker: { ...other.worker, running, cells } }
    }
  }

  socket.on('message', (data) => {
    clearTimeout(timeout)
    try {
      const message = readMessage(String(data))
      if (node === null) greet(message)
      else if (message !== null) receive(node, message)
    } catch {
      socket.close(4400, 'not a message of this bus')
    }
    heardAt = now()
    timeout = startTimeout()
  })
  socket.on('close', () => {
    clearTimeout(timeout)
    options.onClosed()
  })
  // ws emits `close` after every error, which handles it
  socket.on('error', () => undefined)
  if (side === 'server') send({ t: 'challenge', nonce: own })

  return {
    peer: () => (node === null ? null : { node, heardAt }),
    send: (hints, queued) => {
      const other = node
      if (other === null || socket.bufferedAmount > MAX_BUFFERED_BYTES) return
      const picked = pickHints(hints, (kind) => wants(other, kind))
      if (queued === undefined) {
        if (picked !== null) send({ t: 'hints', hints: picked })
        return
      }
      const { tags, taken } = queued
      const more = taken.length > 0 ? { taken: [...taken] } : {}
      send({ t: 'hints', hints: { ...picked, jobQueued: [...tags] }, ...more })
    },
    sendAlive: () => {
      if (node === null) return
      const { running = null, cells } = describe().worker ?? {}
      send({ t: 'alive', running, ...(cells === undefined ? {} : { cells }) })
    },
    close: () => socket.close(1001, 'stopping'),
  }
}
