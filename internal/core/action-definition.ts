/** An action as a deployment pins it: the manifest's object with every default filled in (contract, app.yaml). */
export type ActionDefinition = Readonly<{
  key: string
  /** Path of the entry file inside the app, for example `actions/parse.ts`. */
  entrypoint: string
  timeoutS: number
  /** Null: the workspace's default tag. */
  tag: string | null
  /** JSON Schema 2020-12, checked at enqueue. */
  inputSchema: unknown
  retry: Readonly<{ maxAttempts: number; delayMs: number; backoffFactor: number }> | null
  concurrency: Readonly<{ limit: number; key: string }> | null
  isolation: 'fresh' | 'shared'
  onWorkerLost: 'requeue' | 'fail'
  /** Null: the instance's SVC_JOB_MEMORY_MB. */
  memoryMb: number | null
  /** Hosts that it may reach. Null: any public address. Empty: none. */
  network: readonly string[] | null
}>
