/**
 * Files of the console that are loaded when they are first needed. A server that restarts cannot send them, and a newer one
 * has replaced them by files with other names. Browsers remember that a file did not load until the page is loaded again.
 */
import { reportLost } from './connection.ts'

/** @throws the browser's error, once the server answers */
export const loadFile = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load()
  } catch (error) {
    await reportLost()
    throw error
  }
}

const PREFIX = 'svc.reloaded.'
/** A file that does not load twice within this time is not away because of a restart. */
const AGAIN_MS = 60_000

/** Returns false if the page was just loaded again for this error, or if the browser has no storage to remember it. */
const mayReload = (error: unknown): boolean => {
  const key = `${PREFIX}${error instanceof Error ? error.message : String(error)}`
  const now = performance.timeOrigin + performance.now()
  try {
    if (now - Number(sessionStorage.getItem(key)) < AGAIN_MS) return false
    sessionStorage.setItem(key, String(now))
    return true
  } catch {
    return false
  }
}

/**
 * Loads a part of a page. If that fails, the page is loaded again once the server answers; forms keep what was typed.
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
