/** What a paid call costs, in won [documents 16.1]. */

export type BillingRules = Readonly<{
  /** False: calls are recorded and cost nothing. */
  isPrepaid: boolean
  registryWon: number
  /** On top, for the higher accuracy. */
  accuracyWon: number
}>

/** Of one registry certificate, through either of the two parser routes. */
export const registryPrice = (
  { isPrepaid, registryWon, accuracyWon }: BillingRules,
  { isAccurate = false }: Readonly<{ isAccurate?: boolean }> = {},
): number => (isPrepaid ? registryWon + (isAccurate ? accuracyWon : 0) : 0)
