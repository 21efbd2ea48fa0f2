/** The address of a name server, as settings give it. */
import { isIP } from 'node:net'

/** Accepts `192.0.2.53`, `192.0.2.53:53`, `2001:db8::53` and `[2001:db8::53]:53`. */
export const isNameServer = (text: string): boolean => {
  const [, bracketed, plain] = /^(?:\[(.+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? []
  return isIP(bracketed ?? plain ?? text) !== 0
}
