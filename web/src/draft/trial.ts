/** Whether an app is the trial of a draft, judged by the key that the server gives it. Pure. */
export const isTrialApp = (app: string): boolean => /--try-[0-9a-f]{8}$/.test(app)
