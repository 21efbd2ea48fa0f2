/** Which errors a second request may pass. */
import { ApiError } from '#sdk/client.ts'

const UNAUTHENTICATED = 401

/** Statuses of a proxy whose server is down, and of a server whose database is down. */
export const AWAY_STATUSES: readonly number[] = [502, 503, 504]

/** Whether a proxy in front of svc answered with a page of its own (session/api.ts). It may have ended its session. */
export const isPageOfProxy = ({ status }: ApiError): boolean => status < 400

/** Whether a retry may help: the server was not reached, failed, or limited the rate, or a proxy asks to sign in. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  error.status === 429 ||
  isPageOfProxy(error)

/** Whether a person is offered to try again. They may have signed in again meanwhile. */
export const offersRetry = (error: unknown): boolean =>
  mayPass(error) || (error instanceof ApiError && error.status === UNAUTHENTICATED)
