/**
 * Ends relay sessions whose time is over and overwrites what they hold, within moments. A read a minute while none lives;
 * any node may do it, since each is ended once.
 */
import type { Deps } from '#service/deps.ts'
import { expireSessions } from '#service/relay/expire-sessions.ts'
import type { Duty } from '../loop.ts'

const EVERY_MS = 60_000

export const createExpireRelayDuty = (deps: Pick<Deps, 'db' | 'hints'>): Duty => ({
  name: 'expire-relay',
  everyMs: EVERY_MS,
  runOnce: async () => (await expireSessions(deps)) ?? undefined,
})
