import { limit } from '../limit.ts'

export const MAX_LIFETIME_DAYS = limit(
  'account.lifetime',
  3_650,
  'days',
  '`expires_in_days` of a token or customer key.',
)
