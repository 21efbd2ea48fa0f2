/** How long a link to a shared job works, in seconds: 24 hours by default, at most 7 days [access 13.1]. */
export const VIEW_TOKEN_DEFAULT_S = 86_400
export const VIEW_TOKEN_MAX_S = 7 * 86_400
