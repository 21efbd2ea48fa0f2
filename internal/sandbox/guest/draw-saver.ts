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

const ignore = (): undefined => undefined

/** @param record records the values that are not recorded yet; null if there are none */
export const createDrawSaver = (record: () => Promise<void> | null): DrawSaver => {
  let saving: Promise<unknown> | null = null
  const follow = (sent: Promise<unknown>): void => {
    const before = saving
    const all = sent.then(() => before)
    saving = all
    all.then(() => {
      if (saving === all) saving = null
    }, ignore)
  }
  return {
    save: () => {
      const sent = record()
      if (sent !== null) follow(sent)
      return saving
    },
    watch: (sent) => {
      // a refused call is the business of its caller
      follow(sent.catch(ignore))
      return sent
    },
  }
}
