/**
 * Wake-ups inside one process: "a job of this tag was queued", "this job changed". A hint carries no facts, may be lost
 * or come twice without harm; whoever waits on one also looks at the database now and then.
 */
export type Hints = Readonly<{
  /** By tag. */
  jobQueued: Channel
  /** Somebody asked to cancel this running job. */
  cancelRequested: Channel
  /** A schedule was made or changed; by id. */
  scheduleChanged: Channel
  /** This job has another status. */
  jobChanged: KeyedChannel
  /** This job has new output. */
  jobLogged: KeyedChannel
}>

/** Everybody hears of every key: for the few who serve them all. */
export interface Channel {
  emit(key: string): void
  /** @returns a function that ends the subscription */
  subscribe(listener: (key: string) => void): () => void
}

/** Who asked for one key hears of it alone: a thousand waiting callers cost an ending job nothing. */
export interface KeyedChannel {
  emit(key: string): void
  /** @returns a function that ends the subscription */
  subscribe(key: string, listener: () => void): () => void
}

const createChannel = (): Channel => {
  const listeners = new Set<(key: string) => void>()
  return {
    emit: (key) => {
      for (const listener of listeners) listener(key)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const createKeyedChannel = (): KeyedChannel => {
  const listenersByKey = new Map<string, Set<() => void>>()
  return {
    emit: (key) => {
      for (const listener of listenersByKey.get(key) ?? []) listener()
    },
    subscribe: (key, listener) => {
      const listeners = listenersByKey.get(key) ?? new Set()
      listenersByKey.set(key, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) listenersByKey.delete(key)
      }
    },
  }
}

export const createHints = (): Hints => ({
  jobQueued: createChannel(),
  cancelRequested: createChannel(),
  scheduleChanged: createChannel(),
  jobChanged: createKeyedChannel(),
  jobLogged: createKeyedChannel(),
})
