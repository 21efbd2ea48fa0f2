/** Which of the selected runs an operation can change, and how many of them one request takes. Pure. */
import type { Schemas } from '#sdk/client.ts'

export type BulkKind = 'replay' | 'cancel'

type Run = Pick<Schemas['FlowRun'], 'id' | 'status'>

const isOpen = ({ status }: Run): boolean => status === 'running' || status === 'waiting_approval'

/** Ended runs are replayed, open ones canceled. */
export const idsFor = (kind: BulkKind, runs: readonly Run[]): readonly string[] =>
  runs.filter((run) => isOpen(run) === (kind === 'cancel')).map(({ id }) => id)

/** The API takes up to 100 per request. Fewer show progress sooner. */
const PIECE = 25

const inPieces = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / PIECE) }, (_, at) =>
    ids.slice(at * PIECE, (at + 1) * PIECE),
  )

/** The number of ids that were sent, and how many of them were refused. */
export type Sent = Readonly<{ count: number; failed: number }>

export const NONE_SENT: Sent = { count: 0, failed: 0 }

type Send = (piece: readonly string[]) => Promise<Readonly<{ failed: number }>>

/**
 * Sends the ids piece by piece.
 * @param sent what was sent before. After an error, a second attempt continues there, so that no run is replayed twice
 */
export const sendInPieces = async (
  ids: readonly string[],
  sent: Sent,
  { send, onSent }: Readonly<{ send: Send; onSent: (sent: Sent) => void }>,
): Promise<Sent> => {
  let now = sent
  for (const piece of inPieces(ids.slice(sent.count))) {
    const { failed } = await send(piece)
    now = { count: now.count + piece.length, failed: now.failed + failed }
    onSent(now)
  }
  return now
}
