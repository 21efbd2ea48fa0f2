/** The database driver returns a text only up to its first NUL. A name with one would not be found again. */
export const hasNul = (text: string): boolean => text.includes('\0')

/** For schemas of names and keys: refuses NUL. */
export const NO_NUL = [(text: string) => !hasNul(text), 'must not contain NUL'] as const
