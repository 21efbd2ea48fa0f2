/** What a paid call costs, in won [documents 16.1]. */

export type BillingRules = Readonly<{
  /** False if calls are only recorded and cost nothing. */
  isPrepaid: boolean
  registryWon: number
  /** Added for the higher accuracy. */
  accuracyWon: number
}>

/** The price in won of one registry certificate, through either of the two parser routes. */
export const registryPrice = (
  { isPrepaid, registryWon, accuracyWon }: BillingRules,
  { isAccurate = false }: Readonly<{ isAccurate?: boolean }> = {},
): number => (isPrepaid ? registryWon + (isAccurate ? accuracyWon : 0) : 0)
