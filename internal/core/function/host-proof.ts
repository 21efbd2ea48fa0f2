/** How a workspace proves that it owns a host name: by a TXT record, which only the operator of the name's DNS can create. */
export type HostProof =
  /** The TXT record was there. */
  | 'dns'
  /** A super admin set the name. */
  | 'operator'
  /** The name was set before names needed a proof. A proof of another workspace takes it over. */
  | 'upgrade'

export const TXT_RANDOM_BYTES = 16

export const txtNameOf = (host: string): string => `_svc-challenge.${host}`

/** @param random TXT_RANDOM_BYTES bytes of a cryptographic source; each app's claim to a name has its own */
export const makeTxtValue = (random: Uint8Array): string =>
  `svc-verify=${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Whether one of the records found is exactly the expected value. */
export const isProven = (records: readonly string[], value: string): boolean =>
  records.some((record) => record.trim() === value)
