/** An address or a subnet, as settings give it. */
import { isIP } from 'node:net'

/** Accepts `192.0.2.1`, `10.0.0.0/8` and `2001:db8::/32`. */
export const isSubnet = (text: string): boolean => {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) <= (family === 6 ? 128 : 32)
}
