/**
 * What a hash of a password and the keys of a passphrase cost. The tests import test/support/password-cost.ts in its place
 * (package.json, condition svc-test), because the hash is most of what a sign-in takes.
 */

/** A hash takes 32 MiB and about 200 ms of processor time. */
export const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 128 * 1024 * 1024 } as const

/** 64 MiB and some 200 ms for each guess of the passphrase of a file. */
export const PASSPHRASE_COST = { N: 65_536, r: 8, p: 1, maxmem: 128 * 1024 * 1024 } as const
