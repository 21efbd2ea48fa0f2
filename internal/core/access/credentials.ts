/**
 * Every kind of credential whose text svc makes [access 1.2, 1.6], one row each. The patterns below are built from the
 * rows, so a new row makes its texts parsable, masked in logs and withheld from functions.
 */
type Form = Readonly<{
  /** Base62 characters that identify the credential. They are not secret. */
  idLength: number
  /** As a regular expression. */
  separator: string
  /** Base62 characters behind the separator, a checksum included. */
  secretLength: number
}>

/** Its secret ends in a checksum [access 1.3]. */
export const TOKEN_FORM: Form = { idLength: 8, separator: '_', secretLength: 38 }

/** An API key has no checksum [access 12.2]. */
export const API_KEY_FORM: Form = { idLength: 16, separator: '\\.', secretLength: 40 }

export const CREDENTIALS = {
  session: { prefix: 'svcs_', form: TOKEN_FORM },
  api_token: { prefix: 'svc_', form: TOKEN_FORM },
  customer_key: { prefix: 'svck_', form: TOKEN_FORM },
  api_key: { prefix: 'ak_', form: API_KEY_FORM },
  view_token: { prefix: 'svcv_', form: TOKEN_FORM },
  flow_link: { prefix: 'svcl_', form: TOKEN_FORM },
  invite: { prefix: 'svci_', form: TOKEN_FORM },
  device_code: { prefix: 'svcd_', form: TOKEN_FORM },
} as const satisfies Readonly<Record<string, Readonly<{ prefix: string; form: Form }>>>

export type CredentialKind = keyof typeof CREDENTIALS

export const CREDENTIAL_KINDS: readonly CredentialKind[] =
  Object.keys(CREDENTIALS).filter(isCredentialKind)

function isCredentialKind(text: string): text is CredentialKind {
  return Object.hasOwn(CREDENTIALS, text)
}

const shapes = (secretOf: (form: Form) => string): readonly string[] =>
  CREDENTIAL_KINDS.map((kind) => {
    const { prefix, form } = CREDENTIALS[kind]
    const id = `${prefix}[0-9A-Za-z]{${form.idLength}}`
    return `(?<${kind}>${id})${form.separator}[0-9A-Za-z]${secretOf(form)}`
  })

const CREDENTIAL = shapes(({ secretLength }) => `{${secretLength}}`).join('|')

const WHOLE = new RegExp(`^(?:${CREDENTIAL})$`)

/** Returns the kind of a text by its form alone, without checking a checksum; null if it is not a credential. */
export const kindOfCredential = (text: string): CredentialKind | null => {
  const groups = WHOLE.exec(text)?.groups ?? {}
  return CREDENTIAL_KINDS.find((kind) => groups[kind] !== undefined) ?? null
}

/** Matches whole credentials, wherever they are in a text. */
const WITHIN = new RegExp(`(?<![0-9A-Za-z])(?:${CREDENTIAL})(?![0-9A-Za-z])`)

export const containsCredential = (text: string): boolean => WITHIN.test(text)

/** The shortest secret that is masked in free text. Names such as `svc_settings_table` are not credentials. */
const MIN_MASKED = 20

const MASKED = new RegExp(`\\b(?:${shapes(() => `{${MIN_MASKED},}`).join('|')})`, 'g')

/** Stands for a secret in what people read. */
export const MASK = '********'

/** Replaces each credential in `text`, even a truncated one, by `MASK`. */
export const maskCredentials = (text: string): string => text.replaceAll(MASKED, MASK)

const CUT = new RegExp(shapes(() => '+').join('|'), 'g')

/** Keeps the prefix and id of each credential in `text`, by which a person finds its row [access 20.4]. */
export const shortenCredentials = (text: string): string =>
  text.replaceAll(CUT, (_, ...groups: readonly unknown[]) => {
    const id = groups.find((group) => typeof group === 'string')
    return `${id}_…`
  })
