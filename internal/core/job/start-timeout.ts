/** The cancel of a job that did not start in time, by `startTimeoutS` of its action [jobs 21]. */
export const START_TIMEOUT = {
  by: 'svc',
  reason: 'The job did not start within the startTimeoutS of its action.',
} as const
