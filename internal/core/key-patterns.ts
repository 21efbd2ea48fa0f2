/** The form of the keys of a workspace. */

/** The key of an app. */
export const APP_KEY = /^[a-z0-9][a-z0-9-]{0,62}$/

/** The key of an action or a flow. */
export const KEY = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/
