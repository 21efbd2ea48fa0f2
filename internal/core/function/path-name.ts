/**
 * Reads the name of a function from the path below its app: both `/echo` and `/echo/` name `echo`.
 * @returns null if the path has several segments or is malformed; an empty string for the path of the app itself
 */
export const functionNameIn = (path: string): string | null => {
  const name = path.replace(/^\/+|\/+$/g, '')
  if (name.includes('/')) return null
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}
