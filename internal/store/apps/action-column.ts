/** The column `deployment_actions.definition`: an action as its deployment pinned it. */
import { z } from 'zod'
import type { ActionDefinition } from '#core/action/definition.ts'
import { storedActionExpose } from '#core/agent/expose.ts'
import type { JsonValue } from '#core/json/value.ts'
import { writtenByNewer } from '#core/newer-svc.ts'
import { ISOLATION_LEVELS } from '#core/placement/isolation-level.ts'

const shared = {
  scope: z.enum(['action', 'app', 'workspace']).optional(),
  name: z.string().optional(),
}

// strict, because without a field that a newer svc wrote, an older one would run the action by other rules
const actionDefinition = z.strictObject({
  key: z.string(),
  entrypoint: z.string(),
  timeoutS: z.number(),
  tag: z.string().nullable(),
  // it was checked when it was deployed, and to check thousands of values again takes most of the time
  inputSchema: z.custom<JsonValue>((value) => value !== undefined),
  retry: z
    .strictObject({
      maxAttempts: z.number(),
      delayMs: z.number(),
      backoffFactor: z.number(),
      maxDelayMs: z.number().optional(),
      jitter: z.number().optional(),
      notOn: z.array(z.string()).optional(),
    })
    .nullable(),
  concurrency: z.strictObject({ limit: z.number(), key: z.string(), ...shared }).nullable(),
  rate: z
    .strictObject({ limit: z.number(), perS: z.number(), key: z.string(), ...shared })
    .nullable()
    .default(null),
  debounce: z
    .strictObject({ key: z.string(), quietS: z.number(), maxS: z.number() })
    .nullable()
    .default(null),
  fairKey: z.string().nullable().default(null),
  isolation: z.enum(['fresh', 'shared']),
  onWorkerLost: z.enum(['requeue', 'fail']),
  memoryMb: z.number().nullable(),
  network: z.array(z.string()).nullable(),
  // absent in definitions that were pinned before the field existed
  minLevel: z.enum(ISOLATION_LEVELS).nullable().default(null),
  labels: z.array(z.string()).optional(),
  cancelGraceS: z.number().optional(),
  startTimeoutS: z.number().optional(),
  expose: storedActionExpose.optional(),
})

/** Parses the stored definition of an action. @throws {AppError} unavailable: a newer svc wrote it in a form unknown to this one */
export const parseActionDefinition = (text: string): ActionDefinition => {
  const { success, data, error } = actionDefinition.safeParse(JSON.parse(text))
  if (!success) throw writtenByNewer('An action of this deployment', error)
  return data
}
