/**
 * Reads the name of a function from the path behind its app: `/echo` and `/echo/` name `echo`.
 * @returns null if the path has several parts or is malformed; empty for the path of the app itself
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
