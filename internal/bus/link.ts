/** One connection to another node, from its first message to its end, whoever opened it. */
import type { WebSocket } from 'ws'
import type { Hints } from './hint-batch.ts'
import { pickHints } from './hint-batch.ts'
import { isProof, makeNonce, makeProof, type Side } from './proof.ts'
import { type BusMessage, type NodeFacts, readMessage, wants } from './protocol.ts'

export type Peer = Readonly<{
  node: NodeFacts
  /** Milliseconds since 1970 by this machine: when it was last heard of. */
  heardAt: number
}>

export interface Link {
  /** Null until the other side has proved itself. */
  peer(): Peer | null
  send(hints: Hints): void
  /** Tells that this node lives, and how many jobs it runs. */
  tellAlive(): void
  close(): void
}

export type LinkOptions = Readonly<{
  socket: WebSocket
  side: Side
  key: Uint8Array
  /** This node as it is now. */
  describe: () => NodeFacts
  now: () => number
  onJoined: (node: NodeFacts) => void
  onHints: (hints: Extract<BusMessage, { t: 'hints' }>['hints']) => void
  /** The other side holds another instance key. */
  onStranger: () => void
  onClosed: () => void
}>

const PROVE_WITHIN_MS = 5_000
/** Nodes tell that they live every few seconds; one that does not is gone, however open its connection. */
const SILENT_FOR_MS = 15_000
/** Of what the other side does not take: beyond it hints are dropped. */
const MAX_BUFFERED_BYTES = 4_194_304

export const createLink = (options: LinkOptions): Link => {
  const { socket, side, key, describe, now } = options
  const own = makeNonce()
  let node: NodeFacts | null = null
  let heardAt = now()
  let challenge = ''

  const say = (message: BusMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const hang = (): NodeJS.Timeout =>
    setTimeout(() => socket.terminate(), node === null ? PROVE_WITHIN_MS : SILENT_FOR_MS)
  let patience = hang()

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
    say({ t: 'hello', nonce: own, proof, node: describe() })
  }
  const admit = ({ nonce, proof, node: other }: Extract<BusMessage, { t: 'hello' }>): void => {
    const nonces = { client: nonce, server: own }
    if (!isProof(key, 'client', { nonces, proof })) {
      refuse()
      return
    }
    say({ t: 'welcome', proof: makeProof(key, 'server', nonces), node: describe() })
    join(other)
  }
  const believe = ({ proof, node: other }: Extract<BusMessage, { t: 'welcome' }>): void => {
    const nonces = { client: own, server: challenge }
    if (isProof(key, 'server', { nonces, proof })) join(other)
    else refuse()
  }
  /** Until the other side has proved itself. */
  const greet = (message: BusMessage): void => {
    if (side === 'client' && message.t === 'challenge') answerChallenge(message.nonce)
    else if (side === 'server' && message.t === 'hello') admit(message)
    else if (side === 'client' && message.t === 'welcome') believe(message)
    else socket.close(4400, 'prove yourself first')
  }
  const hear = (other: NodeFacts, message: BusMessage): void => {
    if (message.t === 'hints') options.onHints(message.hints)
    else if (message.t === 'alive' && other.worker !== null && message.running !== null) {
      node = { ...other, worker: { ...other.worker, running: message.running } }
    }
  }

  socket.on('message', (data) => {
    clearTimeout(patience)
    try {
      const message = readMessage(String(data))
      if (node === null) greet(message)
      else hear(node, message)
    } catch {
      socket.close(4400, 'no message of this bus')
    }
    heardAt = now()
    patience = hang()
  })
  socket.on('close', () => {
    clearTimeout(patience)
    options.onClosed()
  })
  // what is wrong with a connection shows in its end
  socket.on('error', () => undefined)
  if (side === 'server') say({ t: 'challenge', nonce: own })

  return {
    peer: () => (node === null ? null : { node, heardAt }),
    send: (hints) => {
      const other = node
      if (other === null || socket.bufferedAmount > MAX_BUFFERED_BYTES) return
      const picked = pickHints(hints, (kind, name) => wants(other, kind, name))
      if (picked !== null) say({ t: 'hints', hints: picked })
    },
    tellAlive: () => {
      if (node !== null) say({ t: 'alive', running: describe().worker?.running ?? null })
    },
    close: () => socket.close(1001, 'stopping'),
  }
}
