/**
 * Wake-ups: "a job of this tag was queued", "this job changed". A hint carries no facts, may be lost or come twice without
 * harm; whoever waits on one also looks at the database now and then. Between processes the bus carries them.
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
  /** This flow run went on. */
  flowChanged: KeyedChannel
  /** This relay session has another state. */
  relayChanged: KeyedChannel
}>

/** Everybody hears of every key: for the few who serve them all. */
export interface Channel {
  /** Tells this process and, through the bus, the others. */
  emit(key: string): void
  /** Tells this process alone: what came over the bus goes no further. */
  deliver(key: string): void
  /** @returns a function that ends the subscription */
  subscribe(listener: (key: string) => void): () => void
}

/** Who asked for one key hears of it alone: a thousand waiting callers cost an ending job nothing. */
export interface KeyedChannel {
  emit(key: string): void
  deliver(key: string): void
  /** @returns a function that ends the subscription */
  subscribe(key: string, listener: () => void): () => void
}

export type HintName = keyof Hints

type Forward = (key: string) => void

const createChannel = (forward: Forward): Channel => {
  const listeners = new Set<(key: string) => void>()
  const deliver = (key: string): void => {
    for (const listener of listeners) listener(key)
  }
  return {
    deliver,
    emit: (key) => {
      deliver(key)
      forward(key)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const createKeyedChannel = (forward: Forward): KeyedChannel => {
  const listenersByKey = new Map<string, Set<() => void>>()
  const deliver = (key: string): void => {
    for (const listener of listenersByKey.get(key) ?? []) listener()
  }
  return {
    deliver,
    emit: (key) => {
      deliver(key)
      forward(key)
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

/** @param onEmitted hears of every hint that begins in this process, to carry it to others */
export const createHints = (
  onEmitted: (name: HintName, key: string) => void = () => undefined,
): Hints => {
  const forward =
    (name: HintName): Forward =>
    (key) =>
      onEmitted(name, key)
  return {
    jobQueued: createChannel(forward('jobQueued')),
    cancelRequested: createChannel(forward('cancelRequested')),
    scheduleChanged: createChannel(forward('scheduleChanged')),
    jobChanged: createKeyedChannel(forward('jobChanged')),
    jobLogged: createKeyedChannel(forward('jobLogged')),
    flowChanged: createKeyedChannel(forward('flowChanged')),
    relayChanged: createKeyedChannel(forward('relayChanged')),
  }
}
