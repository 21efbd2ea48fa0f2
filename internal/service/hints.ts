/**
 * Wake-ups inside one process: "a job was queued", "this job changed". A hint may be lost or come twice without harm;
 * whoever waits on one also looks at the database now and then.
 */
export type JobChange = Readonly<{ jobId: string; status: string }>

export type Hints = Readonly<{
  jobQueued: Channel<string>
  jobChanged: Channel<JobChange>
  /** Somebody asked to cancel this running job. */
  cancelRequested: Channel<string>
  /** This job has new output. */
  jobLogged: Channel<string>
}>

export interface Channel<T> {
  emit(value: T): void
  /** @returns a function that ends the subscription */
  subscribe(listener: (value: T) => void): () => void
}

const createChannel = <T>(): Channel<T> => {
  const listeners = new Set<(value: T) => void>()
  return {
    emit: (value) => {
      for (const listener of listeners) listener(value)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const createHints = (): Hints => ({
  jobQueued: createChannel<string>(),
  jobChanged: createChannel<JobChange>(),
  cancelRequested: createChannel<string>(),
  jobLogged: createChannel<string>(),
})
