/** Continues revocations of tokens that made very many others. It only reads when there are none, and any node may run it. */
import { continueRevocations } from '#service/access/made-tokens.ts'
import type { Deps } from '#service/deps.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 10_000

/** Creates the duty; it runs when a revocation is taken to be interrupted. */
export const createRevokeTokensDuty = ({ db }: Pick<Deps, 'db'>): Duty => ({
  name: 'revoke-tokens',
  everyMs: EVERY_MS,
  dueMs: ({ revocationMs }) => revocationMs,
  runOnce: async (signal) => ((await continueRevocations(db, signal)) ? 0 : undefined),
})
