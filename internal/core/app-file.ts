/** Where the code of an app finds the app's files. Pure. */

/** A folder that does not exist. Paths below it only distinguish modules and files of the bundle. */
export const APP_ROOT = '/app/'

/** Returns the URL of a file, as in `import.meta.url`. @param path absolute */
export const fileAddress = (path: string): string =>
  new URL(`file://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`).href
