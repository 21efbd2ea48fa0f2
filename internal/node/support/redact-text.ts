/** Texts for other people: without credentials, secrets of this machine, and e-mail addresses. */
import { MASK, maskText } from '#log/redact.ts'

/** `password=x`, `"apiToken": "x"`, `?authToken=x`: the value ends at a space, a quote or a separator. */
const NAMED =
  /([\w-]*(?:pass(?:word|wd|phrase)?|secret|token|api_?key|private_?key|authorization|cookie|credential)[\w-]*\\?["']?\s*[=:]\s*\\?["']?)(?!\s)([^\s"'\\,;&}]+)/gi

/** The part before the @ names a person; the domain may help to find a fault. */
const EMAIL = /\b[\w.%+-]+@(?=[a-z0-9-]+(?:\.[a-z0-9-]+)*\b)/gi

/** How one secret may be written within JSON and addresses. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
]

/** Returns a function that masks a text. @param secrets values that must not be shown, whatever their names */
export const createRedactor = (secrets: readonly string[]): ((text: string) => string) => {
  // one that contains another goes first, or its rest would stay
  const known = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
    return maskText(without).replace(NAMED, `$1${MASK}`).replace(EMAIL, `${MASK}@`)
  }
}
