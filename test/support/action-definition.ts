/** The definition of an action whose manifest names nothing but its key and entry point. */
import type { ActionDefinition } from '#core/action/definition.ts'

export const actionDefinition = (key: string): ActionDefinition => ({
  key,
  entrypoint: `${key}.ts`,
  timeoutS: 300,
  tag: null,
  inputSchema: null,
  retry: null,
  concurrency: null,
  rate: null,
  debounce: null,
  fairKey: null,
  isolation: 'shared',
  onWorkerLost: 'requeue',
  memoryMb: null,
  network: null,
  minLevel: null,
})
