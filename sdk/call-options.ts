/** What every call of the client takes beside what its route does. */
export type CallOptions = Readonly<{
  /** Ends the call, and a stream of events. */
  signal?: AbortSignal | undefined
  /** A call that is sent again with the same key is done once. For routes that queue or start something. */
  idempotencyKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}>
