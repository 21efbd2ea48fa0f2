/** Letters that leave no ink: blanks, and the control characters by which some programs name the blank of a font. */
const WITH_INK = /[^\p{Cc}\p{Z}\u200B-\u200D\u2060\uFEFF]/u

/** Whether the letters of a glyph are blank. */
export const isBlankLetter = (letters: string): boolean => !WITH_INK.test(letters)
