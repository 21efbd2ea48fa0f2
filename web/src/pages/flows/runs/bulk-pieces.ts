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

export const inPieces = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / PIECE) }, (_, at) =>
    ids.slice(at * PIECE, (at + 1) * PIECE),
  )
