/**
 * Files of the console that are loaded when they are first needed. A server that restarts cannot send them, and a newer one
 * has replaced them by files with other names.
 */
import { reportLost } from './connection.ts'

/** Waits for the server if it is away. @throws the browser's error if the file does not load even then */
export const loadFile = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load()
  } catch {
    await reportLost()
    return load()
  }
}

const KEY = 'svc.reloaded'

/** Returns false if the page was loaded again for this error already, or if the browser has no storage to remember it. */
const mayReload = (error: unknown): boolean => {
  const { message } = error instanceof Error ? error : new Error(String(error))
  try {
    if (sessionStorage.getItem(KEY) === message) return false
    sessionStorage.setItem(KEY, message)
    return true
  } catch {
    return false
  }
}

/**
 * Loads a part of a page. If a newer server has replaced it, the page is loaded again once; forms keep what was typed.
 * @throws the browser's error if the part does not load even then
 */
export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await loadFile(load)
  } catch (error) {
    if (!mayReload(error)) throw error
    location.reload()
    return new Promise(() => undefined)
  }
}
