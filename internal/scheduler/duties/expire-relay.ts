/**
 * Ends expired relay sessions and overwrites their content, within moments. Any node may run it, since each session ends
 * once.
 */
import type { Deps } from '#service/deps.ts'
import { expireSessions } from '#service/relay/expire-sessions.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 60_000

/** Creates the duty; it runs when the next session expires. */
export const createExpireRelayDuty = (deps: Pick<Deps, 'db' | 'hints'>): Duty => ({
  name: 'expire-relay',
  everyMs: EVERY_MS,
  dueMs: ({ relayMs }) => relayMs,
  runOnce: async () => (await expireSessions(deps)) ?? undefined,
})
