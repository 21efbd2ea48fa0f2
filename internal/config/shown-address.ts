/** Masks what is secret in addresses. Pure. */
import { MASK } from '#core/access/credentials.ts'

/** Masks user, password and secret parameters of a URL. */
export const shownAddress = (url: string): string =>
  url
    .replace(/^(\w+:\/\/)[^/@]*@/, `$1${MASK}@`)
    .replace(/([?&][^=&]*(?:token|password|secret|key)[^=&]*=)[^&]*/gi, `$1${MASK}`)

/** Masks the same in any text, which may have several addresses or a wrong one, and more rather than less. */
export const shownText = (text: string): string =>
  text
    .replace(/(:\/\/)[^;,\s]*@/g, `$1${MASK}@`)
    .replace(/([?&][^=&]*(?:token|password|secret|key)[^=&]*=)[^&;,\s]*/gi, `$1${MASK}`)
