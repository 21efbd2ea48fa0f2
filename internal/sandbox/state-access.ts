/** The state of a job's app, as the host offers it to the job. Values are JSON texts, which the host passes on unparsed. */
export type StateEntry = Readonly<{
  json: string
  /** It changes with each write, also after a delete in between. */
  version: string
}>

export type StateKeys = Readonly<{ keys: readonly string[]; hasMore: boolean }>

export interface StateAccess {
  /** @returns null if the key has no value */
  get(key: string): Promise<StateEntry | null>
  /** @throws {AppError} too_large `state_too_large`, conflict `state_full` */
  set(key: string, json: string): Promise<void>
  /**
   * Sets the value while it still has the version that the caller has read.
   * @param version null: only while there is none
   * @returns false: another job wrote meanwhile
   * @throws {AppError} as `set`
   */
  compareAndSet(key: string, json: string, version: string | null): Promise<boolean>
  delete(key: string): Promise<void>
  /** Keys with this prefix in the order of their bytes, from behind `after`. */
  list(prefix: string, after: string | null): Promise<StateKeys>
}

/** Where a job has no state. */
export const NO_STATE: StateAccess = {
  get: async () => null,
  set: async () => undefined,
  compareAndSet: async () => true,
  delete: async () => undefined,
  list: async () => ({ keys: [], hasMore: false }),
}
