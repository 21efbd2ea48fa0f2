/** Options of every call of the client, in addition to those of its route. */
export type CallOptions = Readonly<{
  /** Aborts the call, or its stream of events. */
  signal?: AbortSignal | undefined
  /** Makes repeated calls with the same key run once. For routes that enqueue or start something. */
  idempotencyKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}>
