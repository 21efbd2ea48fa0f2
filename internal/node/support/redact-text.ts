/** Redacts texts for other people: credentials, secrets of this machine, and e-mail addresses. */
import { MASK } from '#core/access/credentials.ts'
import { maskText } from '#log/redact.ts'

/** Matches `password=x`, `"apiToken": "x"`, `?authToken=x`. The value ends at a space, a quote or a separator. */
const NAMED =
  /([\w-]*(?:pass(?:word|wd|phrase)?|secret|token|api_?key|private_?key|authorization|cookie|credential)[\w-]*\\?["']?\s*[=:]\s*\\?["']?)(?!\s)([^\s"'\\,;&}]+)/gi

/** Matches the part before the @, which names a person. The domain stays, because it may help to find a fault. */
const EMAIL = /\b[\w.%+-]+@(?=[a-z0-9-]+(?:\.[a-z0-9-]+)*\b)/gi

/** The forms that a secret may have within JSON and addresses. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
]

/** Returns a function that masks a text. @param secrets values that must not be shown, whatever their names */
export const createRedactor = (secrets: readonly string[]): ((text: string) => string) => {
  // longest first: a secret that contains another one would otherwise be masked only in part
  const known = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
    return maskText(without).replace(NAMED, `$1${MASK}`).replace(EMAIL, `${MASK}@`)
  }
}
