/**
 * Wake-up signals such as "a job with this tag was queued". A hint carries no data and may be lost or repeated, so every
 * waiter also polls the database. The bus carries hints between processes.
 */
export type Hints = Readonly<{
  /** A job was queued; by tag. */
  jobQueued: Channel
  /** A cancel of this running job was requested. */
  cancelRequested: Channel
  /** A schedule was created or changed; by id. */
  scheduleChanged: Channel
  /** The status of this job changed. */
  jobChanged: KeyedChannel
  /** This job has new output. */
  jobLogged: KeyedChannel
  /** This flow run progressed. */
  flowChanged: KeyedChannel
  /** The state of this relay session changed. */
  relayChanged: KeyedChannel
}>

/** A channel whose listeners receive every key. */
export interface Channel {
  /** Notifies this process and, through the bus, the others. */
  emit(key: string): void
  /** Notifies this process only; for hints that came over the bus. */
  deliver(key: string): void
  /** @returns a function that unsubscribes */
  subscribe(listener: (key: string) => void): () => void
}

/** A channel whose listeners receive one key each, so that a thousand waiters cost an ending job nothing. */
export interface KeyedChannel {
  emit(key: string): void
  deliver(key: string): void
  /** @returns a function that unsubscribes */
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

/** Creates the hints of a process. @param onEmitted called for every hint of this process, to send it to others */
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
