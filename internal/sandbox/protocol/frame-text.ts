/**
 * The text that a frame holds. Nothing else is parsed, however large or deep it is.
 * @throws {Error} it holds none
 */
export const parseText = (payload: string): string => {
  if (!payload.startsWith('"')) throw new Error('The frame holds no text.')
  return String(JSON.parse(payload))
}
