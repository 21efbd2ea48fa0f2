/**
 * Admits the caller again. It runs before the write, because the packages of an app may take a minute to arrive [wire 1.6].
 * @throws {AppError} the credential has ended, or its owner may no longer deploy
 */
export type AdmitLate = () => Promise<unknown>
