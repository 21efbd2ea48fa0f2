/** What the page shows. It is kept in the state of the app, which actions and functions share. */
export type Shown = { stage: 'open' | 'published' | 'rejected' | 'expired'; draft: string }

export const stateKey = (token: string): string => `review/${token}`
