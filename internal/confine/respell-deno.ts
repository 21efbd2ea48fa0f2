/** Passes the path of Deno to programs that svc starts while it runs on Deno itself. */
import { basename, dirname } from 'node:path'
import process from 'node:process'

/**
 * When Deno starts a shell, it takes an argument that equals its own path for a call of Node and adds options
 * to it. A different spelling of the path avoids this.
 */
export const respellDeno = (path: string): string =>
  path === process.execPath ? `${dirname(path)}/./${basename(path)}` : path
