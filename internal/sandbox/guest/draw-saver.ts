/**
 * Makes drawn values durable before the function of a step, or started work, may use them. Otherwise a later attempt would draw
 * other values, for example another idempotency key.
 */

/** Waits until every value drawn so far is recorded; null if it is. Rejects if the host refused to record one. */
export type SaveDraws = () => Promise<unknown> | null

export type DrawSaver = Readonly<{
  save: SaveDraws
  /** Takes a call to the host that carries drawn values. */
  watch: <Answer>(sent: Promise<Answer>) => Promise<Answer>
}>

/** @param record records the values that are not recorded yet, also if the host is owed some; null if there are none */
export const createDrawSaver = (record: (isOwed: boolean) => Promise<void> | null): DrawSaver => {
  let saving: Promise<unknown> | null = null
  /** Whether a call failed that carried values. The host keeps them, and records them with the next call. */
  let isOwed = false
  const send = (): Promise<void> | null => {
    const sent = record(isOwed)
    isOwed = false
    return sent
  }
  const follow = (sent: Promise<unknown>): void => {
    const before = saving
    const all = sent.then(() => before)
    const end = (hasFailed: boolean) => () => {
      if (hasFailed) isOwed = true
      if (saving === all) saving = null
    }
    saving = all
    all.then(end(false), end(true))
  }
  return {
    save: () => {
      const sent = send()
      if (sent !== null) follow(sent)
      return saving
    },
    watch: (sent) => {
      const saved = sent.catch(() => {
        isOwed = true
        return send()
      })
      follow(saved)
      return sent
    },
  }
}
