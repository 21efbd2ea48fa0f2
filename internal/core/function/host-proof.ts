/** How a workspace proves that a host name is its own: by a TXT record that only who runs the name's DNS can make. */
export type HostProof =
  /** The TXT record was there. */
  | 'dns'
  /** A super admin set the name. */
  | 'operator'
  /** The name was set before names needed a proof. A proof of another workspace takes it over. */
  | 'upgrade'

export const TXT_RANDOM_BYTES = 16

export const txtNameOf = (host: string): string => `_svc-challenge.${host}`

/** @param random TXT_RANDOM_BYTES bytes of a cryptographic source; each app's claim of a name has its own */
export const makeTxtValue = (random: Uint8Array): string =>
  `svc-verify=${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Whether one of the records found is exactly the expected value. */
export const isProven = (records: readonly string[], value: string): boolean =>
  records.some((record) => record.trim() === value)
