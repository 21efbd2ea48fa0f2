/** When a notification that was not delivered is sent again [notifications 2.3]. */

/** Seconds before each further attempt; together 10 minutes less than a day. */
const DELAYS_S = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 29_245] as const

/** How far a notification is. */
export const NOTIFICATION_STATUSES = ['pending', 'delivered', 'failed'] as const

/** @param attempts that were made @returns milliseconds; null if no attempt follows */
export const notifyDelayMs = (attempts: number): number | null => {
  const delayS = DELAYS_S[attempts - 1]
  return delayS === undefined ? null : delayS * 1_000
}
