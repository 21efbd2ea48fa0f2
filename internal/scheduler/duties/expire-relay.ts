/**
 * Ends expired relay sessions and overwrites their content, within moments. Reads once a minute while there is none; any
 * node may do it, since each session ends once.
 */
import type { Deps } from '#service/deps.ts'
import { expireSessions } from '#service/relay/expire-sessions.ts'
import type { Duty } from '../loop.ts'

const EVERY_MS = 60_000

/** Creates the duty; it runs when the next session expires, at least once a minute. */
export const createExpireRelayDuty = (deps: Pick<Deps, 'db' | 'hints'>): Duty => ({
  name: 'expire-relay',
  everyMs: EVERY_MS,
  runOnce: async () => (await expireSessions(deps)) ?? undefined,
})
