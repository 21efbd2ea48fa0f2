/** The id of a request, which its response, its log lines and its record share. */

const REQUEST_ID = /^[\w.:-]{1,128}$/

/** Returns the id that the caller sent as `x-request-id` if it has the form of one, else a new one [wire 3.1]. */
export const chooseRequestId = (given: unknown, newId: () => string): string =>
  typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
