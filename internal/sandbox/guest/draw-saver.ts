/**
 * Makes drawn values durable before the function of a step may use them. Otherwise a step whose worker is lost would run
 * again with other values, for example with another idempotency key.
 */

export type DrawSaver = Readonly<{
  /** Resolves when every value drawn so far is recorded. @throws {Error} the host refused to record it */
  save: () => Promise<void>
  /** Takes a call to the host that carries drawn values. */
  watch: <Answer>(sent: Promise<Answer>) => Promise<Answer>
}>

const ignore = (): undefined => undefined

/** @param record records the values that are not recorded yet; null if there are none */
export const createDrawSaver = (record: () => Promise<void> | null): DrawSaver => {
  let saved: Promise<unknown> = Promise.resolve()
  const follow = (sent: Promise<unknown>): void => {
    const before = saved
    saved = sent.then(() => before)
    saved.catch(ignore)
  }
  return {
    save: async () => {
      const sent = record()
      if (sent !== null) follow(sent)
      await saved
    },
    watch: (sent) => {
      // a refused call is the business of its caller
      follow(sent.catch(ignore))
      return sent
    },
  }
}
