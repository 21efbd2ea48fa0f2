/**
 * Parses a frame that holds a text. Anything else is refused before parsing, however large or deep it is.
 * @throws {Error} the frame holds no text
 */
export const parseText = (payload: string): string => {
  if (!payload.startsWith('"')) throw new Error('The frame holds no text.')
  return String(JSON.parse(payload))
}
