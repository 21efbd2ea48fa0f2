/**
 * Limits the memory of answers that their clients have not read. An answer may have 10 MB, and one caller may ask for 50 in a
 * second without reading any. When all answers together need more, the workspace whose answers need most loses the one that has
 * been on its way longest, because those of clients that read end soon.
 */
import { MIB } from '#core/byte-units.ts'
import { createTally } from '#core/fairness/tally.ts'
import { SMALL_BODY_BYTES } from './arriving-bodies.ts'

const MAX_BYTES = 256 * MIB

type Answer = Readonly<{ bytes: number; cut: () => void }>

export type UnsentAnswers = Readonly<{
  /** Counts an answer. @param cut ends its connection @returns call it when the answer was sent, or its client has left */
  add: (ws: string, answer: Answer) => () => void
}>

export const createUnsentAnswers = (maxBytes = MAX_BYTES): UnsentAnswers => {
  const bytes = createTally()
  /** By workspace, the first one first. */
  const answers = new Map<string, Set<Answer>>()
  let held = 0

  const count = (ws: string, by: number): void => {
    bytes.add(ws, by)
    held += by
  }
  const leave = (ws: string, answer: Answer): void => {
    const own = answers.get(ws)
    if (own?.delete(answer) !== true) return
    if (own.size === 0) answers.delete(ws)
    count(ws, -answer.bytes)
  }
  const largest = (): string => {
    let found = ''
    for (const ws of bytes.keys()) if (bytes.of(ws) > bytes.of(found)) found = ws
    return found
  }
  const makeRoom = (): void => {
    while (held > maxBytes) {
      const ws = largest()
      const [first] = answers.get(ws) ?? []
      if (first === undefined) return
      leave(ws, first)
      first.cut()
    }
  }
  return {
    add: (ws, answer) => {
      if (answer.bytes < SMALL_BODY_BYTES) return () => undefined
      const own = answers.get(ws) ?? new Set()
      answers.set(ws, own.add(answer))
      count(ws, answer.bytes)
      makeRoom()
      return () => leave(ws, answer)
    },
  }
}
