/** How often and how long a public link of a flow may be used [flows 10.1]. */
export const LINK_DEFAULT_USES = 100
export const LINK_MOST_USES = 100_000
export const LINK_DEFAULT_DAYS = 30
export const LINK_MOST_DAYS = 365
