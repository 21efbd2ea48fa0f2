/** What a fire time did [schedules 5.7]. */
export const SLOT_OUTCOMES = ['fired', 'skipped', 'queued'] as const
export type SlotOutcome = (typeof SLOT_OUTCOMES)[number]

/** What a fire time does while the former run of its schedule has not ended [schedules 5.7]. */
export const OVERLAPS = ['allow', 'skip', 'queue'] as const

/** `skip`: it is skipped. `queue`: it waits for the end; if there are several, the first waits and the others are skipped. */
export type Overlap = (typeof OVERLAPS)[number]

export const FORMER_RUNS = 'The former run has not ended.'

/** Decides what the fire time does now. @param isFormerOpen whether the former run has not ended */
export const overlapDecision = (
  overlap: Overlap,
  isFormerOpen: boolean,
): 'fire' | 'skip' | 'wait' => {
  if (overlap === 'allow' || !isFormerOpen) return 'fire'
  return overlap === 'skip' ? 'skip' : 'wait'
}
