/** As the server has it, so that the browser says it first. */
export const KEY_PATTERN = '[A-Za-z_][A-Za-z0-9_.\\-]*'
export const MAX_KEY_LENGTH = 128
