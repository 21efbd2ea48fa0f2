/**
 * The witness: a ledger outside svc of what scripts did. Each run of a script keeps a connection to it open from its first
 * line to its last. So two simultaneous runs of one job are seen, and so is the end of a script whose process dies.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { DURABLE_STEPS } from './app.ts'

const beginning = z.object({
  /** The workspace. */
  ws: z.string(),
  job: z.string(),
  attempt: z.number(),
  /** The number that the caller gave it. */
  number: z.number(),
  label: z.string(),
  pid: z.number(),
  /** Milliseconds from the beginning until it throws; null if it does not. */
  failsInMs: z.number().nullable(),
  /** The step of a durable job; null for a whole script. */
  step: z.enum(DURABLE_STEPS).nullable(),
})

export type Sighting = z.infer<typeof beginning> &
  Readonly<{
    /** Milliseconds since 1970. */
    beganAt: number
    /** When it reached its last line. */
    endedAt: number | null
    /** When its connection closed, because it ended or its process died. Null while it is open. */
    closedAt: number | null
  }>

export type Witness = Readonly<{
  port: number
  /** Sightings of whole scripts. */
  sightings: readonly Sighting[]
  /** Sightings of durable steps. */
  steps: readonly Sighting[]
  /** Sightings whose connection is open. */
  open: ReadonlySet<Sighting>
  close: () => Promise<void>
}>

/** The part of the witness's ledger that belongs to one workspace. */
export const witnessOf = (witness: Witness, ws: string): Witness => {
  const own = (all: readonly Sighting[]): readonly Sighting[] =>
    all.filter((each) => each.ws === ws)
  return {
    ...witness,
    get sightings() {
      return own(witness.sightings)
    },
    get steps() {
      return own(witness.steps)
    },
  }
}

export const startWitness = async (): Promise<Witness> => {
  type Open = { -readonly [Key in keyof Sighting]: Sighting[Key] }
  const sightings: Open[] = []
  const steps: Open[] = []
  const open = new Set<Sighting>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let seen: Open | null = null
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (seen === null) return
      seen.closedAt = Date.now()
      open.delete(seen)
    })
    const lines = createInterface({ input: socket })
    // a guest that is killed resets its connection, and the reader passes that error on
    lines.on('error', () => undefined)
    lines.on('line', (line) => {
      if (seen === null) {
        const begun = beginning.parse(JSON.parse(line))
        seen = { ...begun, beganAt: Date.now(), endedAt: null, closedAt: null }
        const list = seen.step === null ? sightings : steps
        list.push(seen)
        open.add(seen)
      } else {
        seen.endedAt = Date.now()
      }
      socket.write('seen\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The witness has no port.')
  return {
    port: address.port,
    sightings,
    steps,
    open,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
