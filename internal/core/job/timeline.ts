/** How many jobs ended when: a span of time in equal pieces, aligned so that a later read shows the same pieces. */
import { SECOND_MS } from '../time-units.ts'
import type { TerminalStatus } from './transitions.ts'

/** A job count of one piece, which begins at `at`, in ms. A piece may occur several times. */
export type EndedAt = Readonly<{ at: number; outcome: TerminalStatus; count: number }>

export type TimelinePiece = Readonly<{ at: number }> & Readonly<Record<TerminalStatus, number>>

export type TimelineSpan = Readonly<{
  /** When the first piece begins, in ms. */
  from: number
  pieceMs: number
  pieces: number
}>

const MOST_PIECES = 96
/** Lengths in which people divide time, in seconds. */
const PIECES_S = [
  1, 5, 10, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 604_800,
] as const
const LARGEST_S = 604_800

/** Returns the span that ends with the piece that contains `now` (ms). */
export const timelineSpan = (now: number, recentSeconds: number): TimelineSpan => {
  const size = PIECES_S.find((seconds) => recentSeconds / seconds <= MOST_PIECES) ?? LARGEST_S
  const pieceMs = size * SECOND_MS
  const pieces = Math.max(1, Math.ceil(recentSeconds / size))
  return { from: Math.floor(now / pieceMs) * pieceMs - (pieces - 1) * pieceMs, pieceMs, pieces }
}

/** Returns every piece of the span, including those in which nothing ended. What lies outside is left out. */
export const toTimeline = (
  { from, pieceMs, pieces }: TimelineSpan,
  ended: readonly EndedAt[],
): readonly TimelinePiece[] => {
  const counts = Array.from({ length: pieces }, () => ({ success: 0, failure: 0, canceled: 0 }))
  for (const { at, outcome, count } of ended) {
    const piece = counts[Math.floor((at - from) / pieceMs)]
    if (piece !== undefined) piece[outcome] += count
  }
  return counts.map((count, index) => ({ at: from + index * pieceMs, ...count }))
}
