/**
 * The states of a relay session and the transitions between them [relay 8.1]. The store builds its guards from this table,
 * so that no statement allows another transition.
 */
export const RELAY_STATES = ['waiting', 'uploaded', 'delivered', 'expired', 'cancelled'] as const
export type RelayState = (typeof RELAY_STATES)[number]

/** States that are final and have no certificate. */
export const RELAY_ENDS = ['delivered', 'expired', 'cancelled'] as const
export type RelayEnd = (typeof RELAY_ENDS)[number]

const FOLLOWERS: Readonly<Record<RelayState, readonly RelayState[]>> = {
  waiting: ['uploaded', 'expired', 'cancelled'],
  uploaded: ['delivered', 'expired', 'cancelled'],
  delivered: [],
  expired: [],
  cancelled: [],
}

/** Returns the states from which a session gets to `state`. */
export const statesBefore = (state: RelayState): readonly RelayState[] =>
  RELAY_STATES.filter((before) => FOLLOWERS[before].includes(state))

/** @returns null if the session has not ended */
export const endOf = (state: RelayState): RelayEnd | null =>
  RELAY_ENDS.find((end) => end === state) ?? null
