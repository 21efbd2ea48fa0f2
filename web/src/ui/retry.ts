/** Which errors a second request may pass. */
import { ApiError } from '#sdk/client.ts'

const UNAUTHENTICATED = 401

/** Whether a retry may help: the server was not reached, failed, or limited the rate. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429

/** Whether a person is offered to try again. They may have signed in again meanwhile. */
export const offersRetry = (error: unknown): boolean =>
  mayPass(error) || (error instanceof ApiError && error.status === UNAUTHENTICATED)
