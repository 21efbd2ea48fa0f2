/** The state of a job's app, as the host offers it to the job. Values are JSON texts that the host passes on unparsed. */
export type StateEntry = Readonly<{
  json: string
  /** Changes with each write, even if the value was deleted in between. */
  version: string
}>

export type StateKeys = Readonly<{ keys: readonly string[]; hasMore: boolean }>

export interface StateAccess {
  /** @returns null if the key has no value */
  get(key: string): Promise<StateEntry | null>
  /** @throws {AppError} too_large `state_too_large`, conflict `state_full` */
  set(key: string, json: string): Promise<void>
  /**
   * Sets the value if it still has the version that the caller has read.
   * @param version null if the key must have no value yet
   * @returns false if another job has written meanwhile
   * @throws {AppError} as `set`
   */
  compareAndSet(key: string, json: string, version: string | null): Promise<boolean>
  delete(key: string): Promise<void>
  /** Keys with this prefix in byte order, after `after`. */
  list(prefix: string, after: string | null): Promise<StateKeys>
}

/** For jobs without state. */
export const NO_STATE: StateAccess = {
  get: async () => null,
  set: async () => undefined,
  compareAndSet: async () => true,
  delete: async () => undefined,
  list: async () => ({ keys: [], hasMore: false }),
}
