/** Limits of `ctx.cancel`. Alone in this file, because processes of jobs import it. */
/** Characters. Longer texts are no id. */
export const MAX_WORK_ID = 100
/** Characters of the reason of a cancel. */
export const MAX_CANCEL_REASON = 1_000
