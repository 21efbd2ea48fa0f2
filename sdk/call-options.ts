/** Options of every call of the client, in addition to those of its route. */
export type CallOptions = Readonly<{
  /** Aborts the call, or its stream of events. */
  signal?: AbortSignal | undefined
  /** A call repeated with the same key runs once. For routes that enqueue or start something. */
  idempotencyKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}>
