import { type AppError, unavailable } from '../error.ts'

/** Builds the error of a request that lost every attempt against deployments of the same app. */
export const overtaken = (): AppError =>
  unavailable('The app is being deployed over and over. Try again.', { retryAfterS: 1 })
