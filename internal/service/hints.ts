import { fromCellKey, HOME_CELL, toCellKey } from '#core/cells.ts'

/**
 * Wake-up signals such as "a job with this tag was queued". A hint carries no data and may be lost or repeated, so every
 * waiter also polls the database. The bus carries hints between processes.
 */
export type Hints = Readonly<{
  /** A job was queued. The key is its tag. */
  jobQueued: Channel
  /**
   * A job is being queued: the write that inserts it was handed to the database but is not committed yet. The key is its tag,
   * or `ANY_TAG`. A claim that is handed over within the call comes after the insert and shares its commit. Only for workers of
   * this process, which need no hint afterwards.
   */
  jobQueuing: LocalChannel
  /**
   * This flow run, or one that waited for its concurrency slot, may be due: it found an earlier event, began to wait for a slot, or
   * ended.
   * Only for this process (flows/end-waits-when-due.ts).
   */
  waitDue: LocalChannel
  /** A cancel of this running job was requested. */
  cancelRequested: Channel
  /** A schedule was created or changed. The key is its id. */
  scheduleChanged: Channel
  /** This process accepted an operation on many jobs. The key is its id. */
  operationStarted: LocalChannel
  /** Something was written to the database, so schedulers look for work. The key has no meaning. */
  written: Channel
  /** The status of this job changed. */
  jobChanged: KeyedChannel
  /** This job has new output. */
  jobLogged: KeyedChannel
  /** This flow run progressed. */
  flowChanged: KeyedChannel
  /** The state of this relay session changed. */
  relayChanged: KeyedChannel
  /** An agent canceled this call of a tool. */
  agentCallCanceled: KeyedChannel
  /** This workspace is in another cell now. */
  placeChanged: Channel
}>

/** The key of a job whose tag is known only after its insert. */
export const ANY_TAG = ''

/** A channel within this process whose listeners receive every key. */
export type LocalChannel = Pick<Channel, 'emit' | 'subscribe'>

/** A channel whose listeners receive every key. */
export interface Channel {
  /** Notifies this process and, through the bus, the others. */
  emit(key: string): void
  /** Notifies the other processes only. */
  forward(key: string): void
  /** Notifies this process only; for hints that came over the bus. */
  deliver(key: string): void
  /** @returns a function that unsubscribes */
  subscribe(listener: (key: string) => void): () => void
}

/** A channel whose listeners receive one key each, so that the end of a job does not call a thousand other waiters. */
export interface KeyedChannel {
  emit(key: string): void
  deliver(key: string): void
  /** @returns a function that unsubscribes */
  subscribe(key: string, listener: () => void): () => void
}

/** Hints that the bus carries. */
export type HintName = Exclude<keyof Hints, 'jobQueuing' | 'operationStarted' | 'waitDue'>

type Forward = (key: string) => void

const createChannel = (forward: Forward): Channel => {
  const listeners = new Set<(key: string) => void>()
  const deliver = (key: string): void => {
    for (const listener of listeners) listener(key)
  }
  return {
    deliver,
    forward,
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
    jobQueuing: createChannel(() => undefined),
    waitDue: createChannel(() => undefined),
    cancelRequested: createChannel(forward('cancelRequested')),
    scheduleChanged: createChannel(forward('scheduleChanged')),
    operationStarted: createChannel(() => undefined),
    written: createChannel(forward('written')),
    jobChanged: createKeyedChannel(forward('jobChanged')),
    jobLogged: createKeyedChannel(forward('jobLogged')),
    flowChanged: createKeyedChannel(forward('flowChanged')),
    relayChanged: createKeyedChannel(forward('relayChanged')),
    agentCallCanceled: createKeyedChannel(forward('agentCallCanceled')),
    placeChanged: createChannel(forward('placeChanged')),
  }
}

/**
 * Creates the hints of a further cell. Ids of jobs, runs and sessions are unique across cells, so all cells share their
 * channels. The channels that every claim loop or scheduler follows are separate. A write in any cell wakes the
 * schedulers of all cells.
 * @param home the hints of the process
 */
export const createCellHints = (
  home: Hints,
  cell: string,
  onEmitted: (name: HintName, key: string) => void,
): Hints => {
  const forward =
    (name: HintName): Forward =>
    (key) =>
      onEmitted(name, toCellKey(cell, key))
  return {
    ...home,
    jobQueued: createChannel(forward('jobQueued')),
    scheduleChanged: createChannel(forward('scheduleChanged')),
    jobQueuing: createChannel(() => undefined),
    waitDue: createChannel(() => undefined),
    operationStarted: createChannel(() => undefined),
  }
}

const OF_ONE_CELL: readonly HintName[] = ['jobQueued', 'scheduleChanged']

/** Delivers a hint that came over the bus. @param hintsOf returns null if this process does not know the cell */
export const deliverHint = (
  hintsOf: (cell: string) => Hints | null,
  name: HintName,
  text: string,
): void => {
  const { cell, key } = OF_ONE_CELL.includes(name)
    ? fromCellKey(text)
    : { cell: HOME_CELL, key: text }
  hintsOf(cell)?.[name].deliver(key)
}
