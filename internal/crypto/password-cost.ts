/**
 * The cost of hashing a password, and of deriving keys from a passphrase. Tests replace this module with
 * test/support/password-cost.ts (package.json, condition svc-test), because hashing takes most of the time of a sign-in.
 */

/** A hash takes 32 MiB and about 200 ms of processor time. */
export const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 128 * 1024 * 1024 } as const

/** 64 MiB and about 200 ms for each guess of the passphrase of a file. */
export const PASSPHRASE_COST = { N: 65_536, r: 8, p: 1, maxmem: 128 * 1024 * 1024 } as const
